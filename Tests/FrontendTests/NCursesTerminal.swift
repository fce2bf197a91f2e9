#if NCurses
import Glibc
import Synchronization
import WhirlCore

/// A terminal that nobody sits at: what a dashboard writes can be read, and keys can be pressed.
final class TestTerminal: Sendable {
    /// What a program opens.
    let path: String
    private let keyboard: Int32
    private let state = Mutex<[UInt8]>([])

    private static let setLock: UInt = 0x4004_5431  // TIOCSPTLCK
    private static let getNumber: UInt = 0x8004_5430  // TIOCGPTN

    init(columns: Int = 80, rows: Int = 24) {
        // What posix_openpt, unlockpt and ptsname do, which Swift's Glibc module does not have.
        keyboard = unsafe open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
        var lock: Int32 = 0
        var number: UInt32 = 0
        let isUnlocked = unsafe ioctl(keyboard, Self.setLock, &lock) == 0
        precondition(unsafe isUnlocked && ioctl(keyboard, Self.getNumber, &number) == 0)
        path = "/dev/pts/\(number)"
        resize(columns, rows)
    }

    deinit { close(keyboard) }

    func resize(_ columns: Int, _ rows: Int) {
        var size = winsize()
        size.ws_col = UInt16(columns)
        size.ws_row = UInt16(rows)
        _ = unsafe ioctl(keyboard, UInt(TIOCSWINSZ), &size)
    }

    func press(_ keys: String) {
        var keys = keys
        keys.withUTF8 { _ = unsafe write(keyboard, $0.baseAddress, $0.count) }
    }

    /// Goes away, as when its window is closed.
    func hangUp() {
        _ = unsafe dup2(open("/dev/null", O_RDWR | O_CLOEXEC), keyboard)
    }

    /// All that was written so far.
    var output: String {
        read(for: 0)
        return state.withLock { String(decoding: $0, as: UTF8.self) }
    }

    /// Reads until the condition holds of all that was written; false when it does not within 20 s.
    func wait(for condition: (String) -> Bool) -> Bool {
        for _ in 0..<400 {
            if condition(output) { return true }
            read(for: 50)
        }
        return condition(output)
    }

    func wait(for text: String) -> Bool { wait { $0.contains(text) } }

    /// The same, of whole screens: without a repaint only what has changed is written.
    func repaints(_ condition: (String) -> Bool) -> Bool {
        wait { output in
            press("\u{C}")
            return condition(output)
        }
    }

    /// Forgets what was written so far.
    func clear() {
        read(for: 0)
        state.withLock { $0 = [] }
    }

    /// Takes what is there now, after waiting for a first byte for so many milliseconds.
    ///
    /// The number of bytes.
    @discardableResult func read(for milliseconds: Int32) -> Int {
        var count = 0
        var bytes = [UInt8](repeating: 0, count: 65536)
        var entry = pollfd(fd: keyboard, events: Int16(POLLIN), revents: 0)
        while unsafe poll(&entry, 1, count == 0 ? milliseconds : 0) > 0, entry.revents & Int16(POLLIN) != 0 {
            let length = unsafe Glibc.read(keyboard, &bytes, bytes.count)
            guard length > 0 else { break }
            count += length
            state.withLock { $0 += bytes[..<length] }
        }
        return count
    }

    /// Has so much to read that not one more byte can be written.
    func fill() { Self.fill(path) }

    /// The same of the terminal at that path, which may be another process's.
    static func fill(_ path: String) {
        let side = unsafe open(path, O_WRONLY | O_NOCTTY | O_NONBLOCK | O_CLOEXEC)
        defer { close(side) }
        let bytes = [UInt8](repeating: UInt8(ascii: "."), count: 4096)
        while unsafe Glibc.write(side, bytes, bytes.count) > 0 {}
        while unsafe Glibc.write(side, bytes, 1) > 0 {}
    }

    /// A descriptor of the other side, as a program has it.
    func opened() -> Int32 { unsafe open(path, O_RDWR | O_NOCTTY | O_CLOEXEC) }

    /// Its modes, as numbers that can be compared.
    var modes: [UInt32] {
        var modes = termios()
        unsafe tcgetattr(keyboard, &modes)
        return [modes.c_iflag, modes.c_oflag, modes.c_cflag, modes.c_lflag]
    }

    /// Ctrl-S and Ctrl-Q.
    func holdOutput(_ isHeld: Bool) {
        let side = opened()
        tcflow(side, isHeld ? TCOOFF : TCOON)
        close(side)
    }
}
#endif
