import Glibc
import Synchronization

/// Gives a silent terminal its echo back when a signal ends the process.
@safe struct SilenceWatch {
    private static let numbers = [SIGHUP, SIGINT, SIGQUIT, SIGTERM]

    /// The terminal that is silent; -1 when none is.
    private static let terminal = Atomic<Int32>(-1)
    /// How it was before; what the handler needs lies where nothing has to be allocated or locked.
    nonisolated(unsafe) private static let usual = UnsafeMutablePointer<termios>.allocate(capacity: 1)

    private var before: [(Int32, sigaction)] = []

    /// Watches until `end`.
    init(_ terminal: Int32, _ usual: termios) {
        unsafe Self.usual.initialize(to: usual)
        Self.terminal.store(terminal, ordering: .releasing)
        for number in Self.numbers {
            var action = sigaction()
            guard unsafe sigaction(number, nil, &action) == 0 else { continue }
            let isIgnored = unsafe unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self) == 1
            guard !isIgnored else { continue }
            before.append((number, action))
            action = sigaction()
            unsafe action.__sigaction_handler.sa_handler = { number in
                let terminal = SilenceWatch.terminal.load(ordering: .acquiring)
                if terminal >= 0 { unsafe tcsetattr(terminal, TCSANOW, SilenceWatch.usual) }
                Signals.end(by: number)
            }
            unsafe sigaction(number, &action, nil)
        }
    }

    func end() {
        Self.terminal.store(-1, ordering: .releasing)
        for (number, action) in before {
            var action = action
            unsafe sigaction(number, &action, nil)
        }
    }
}
