import Dispatch
import Glibc
import Synchronization

/// A terminal that nobody sits at, of 80 by 24; what is written to it is kept.
///
/// It is there until the process ends.
final class PseudoTerminal: Sendable {
    /// What a program opens.
    let path: String
    private let keyboard: Int32
    private let written = Mutex<[UInt8]>([])

    private static let setLock: UInt = 0x4004_5431  // TIOCSPTLCK
    private static let getNumber: UInt = 0x8004_5430  // TIOCGPTN
    private static let setSize: UInt = 0x5414  // TIOCSWINSZ

    init() {
        // What posix_openpt, unlockpt and ptsname do, which Swift's Glibc module does not have.
        keyboard = unsafe open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
        var lock: Int32 = 0
        var number: UInt32 = 0
        var size: [UInt16] = [24, 80, 0, 0]
        let isReady = unsafe ioctl(keyboard, Self.setLock, &lock) == 0
        precondition(unsafe isReady && ioctl(keyboard, Self.getNumber, &number) == 0)
        _ = unsafe ioctl(keyboard, Self.setSize, &size)
        path = "/dev/pts/\(number)"
        DispatchQueue(label: "whirl.terminal").async { [self] in take() }
    }

    /// All that was written until nothing came for 0.1 s.
    var output: [UInt8] {
        var seen = -1
        while written.withLock({ $0.count }) != seen {
            seen = written.withLock { $0.count }
            _ = poll(nil, 0, 100)
        }
        return written.withLock { $0 }
    }

    /// Takes all that is written, so that no writer waits.
    private func take() {
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = unsafe read(keyboard, &buffer, buffer.count)
            // There is an error, and no end, while no program has the terminal open.
            if count > 0 { written.withLock { $0 += buffer[..<count] } } else { _ = poll(nil, 0, 10) }
        }
    }

    /// A descriptor of the other side, as a program has it.
    func opened() -> Int32 { unsafe open(path, O_RDWR | O_NOCTTY | O_CLOEXEC) }

    /// Goes away, as when its window is closed.
    func hangUp() { _ = unsafe dup2(open("/dev/null", O_RDWR | O_CLOEXEC), keyboard) }

    /// Ctrl-S and Ctrl-Q.
    func stops(_ isStopped: Bool) {
        let side = opened()
        tcflow(side, isStopped ? TCOOFF : TCOON)
        close(side)
    }
}
