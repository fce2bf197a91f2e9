import Glibc
import Synchronization

/// Signals that end a run.
enum Signals {
    /// The write end of the pipe to the watching thread.
    private static let pipe = Atomic<Int32>(-1)

    /// A reader that goes away, and a file that may not grow, shall be errors and not our end.
    static func ignoreThoseOfWriting() {
        for number in [SIGPIPE, SIGXFSZ] { _ = signal(number, SIG_IGN) }
    }

    /// Calls `act` on a thread of its own for each INT, TERM and HUP that comes; those that were ignored when the
    /// process began stay so (`nohup`).
    ///
    /// Called once.
    static func watch(_ act: @escaping @Sendable (Int32) -> Void) {
        var ends: [Int32] = [-1, -1]
        let made = unsafe Glibc.pipe(&ends)
        precondition(made == 0, "no pipe for signals")
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        pipe.store(ends[1], ordering: .releasing)
        let input = ends[0]
        for number in [SIGINT, SIGTERM, SIGHUP] { take(number) }
        Thread.detach {
            var byte: UInt8 = 0
            while true {
                let count = unsafe read(input, &byte, 1)
                if count == 1 { act(Int32(byte)) } else if errno != EINTR { return }
            }
        }
    }

    private static func take(_ number: Int32) {
        var action = sigaction()
        guard unsafe sigaction(number, nil, &action) == 0 else { return }
        let isIgnored = unsafe unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self) == 1
        guard !isIgnored else { return }
        action = sigaction()
        action.sa_flags = SA_RESTART
        unsafe action.__sigaction_handler.sa_handler = { number in
            let saved = errno
            var byte = UInt8(truncatingIfNeeded: number)
            _ = unsafe write(Signals.pipe.load(ordering: .acquiring), &byte, 1)
            errno = saved
        }
        unsafe sigaction(number, &action, nil)
    }

    /// Ends the process by the signal itself, so that a shell sees why.
    static func end(by number: Int32) -> Never {
        var set = sigset_t()
        unsafe sigemptyset(&set)
        unsafe sigaddset(&set, number)
        _ = signal(number, SIG_DFL)
        unsafe pthread_sigmask(SIG_UNBLOCK, &set, nil)
        raise(number)
        _exit(ExitStatus.of(signal: number))
    }
}
