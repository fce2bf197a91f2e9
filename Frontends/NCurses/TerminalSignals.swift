#if NCurses
import Glibc
import Synchronization
import WhirlBoard

/// The signals a screen must know of: WINCH, TSTP and CONT.
///
/// Installed before ncurses starts, which then installs none of its own: its handlers draw from within a signal, which
/// no program with threads survives. Ours set a flag and ring.
enum TerminalSignals {
    static let hasResized = Atomic<Bool>(false)
    static let isToStop = Atomic<Bool>(false)
    static let hasContinued = Atomic<Bool>(false)

    /// One for the process, never closed: a handler may still be about to write to it.
    static let bell = try? Waker()

    /// Takes the signals over; one that is ignored (as under nohup) stays so.
    static func install() {
        // Every global a handler touches is made here: it must not be the first.
        hasResized.store(false, ordering: .relaxed)
        isToStop.store(false, ordering: .relaxed)
        hasContinued.store(false, ordering: .relaxed)
        bell?.clear()
        for number in [SIGWINCH, SIGTSTP, SIGCONT] {
            _ = unsafe SignalActions.take(number, flags: SA_RESTART, note) { $0 != .ignored }
        }
    }

    /// Lets this thread take the signals that a screen's thread needs.
    ///
    /// Faults: blocked, they would kill without the handler. Those by which Swift's backtracer stops threads: whatever is
    /// left over. Never TTOU: whoever draws from the background would stop the process.
    static func maskThread() {
        var mask = sigset_t()
        unsafe sigemptyset(&mask)
        for number in [SIGTTOU, SIGPIPE, SIGTSTP, SIGINT, SIGTERM, SIGHUP, SIGQUIT] { unsafe sigaddset(&mask, number) }
        unsafe pthread_sigmask(SIG_SETMASK, &mask, nil)
    }

    /// Gives the signals back.
    static func restore() {
        for number in [SIGWINCH, SIGTSTP, SIGCONT] { SignalActions.giveBack(number) }
    }

    /// Stops the process as the terminal's user asked, and returns when it goes on.
    static func stop() {
        guard SignalActions.has(SIGTSTP) else { return }
        signal(SIGTSTP, SIG_DFL)
        // Sent to this thread, so that nothing more happens on it before the process stops.
        var stop = sigset_t()
        unsafe sigemptyset(&stop)
        unsafe sigaddset(&stop, SIGTSTP)
        unsafe pthread_sigmask(SIG_UNBLOCK, &stop, nil)
        raise(SIGTSTP)
        unsafe pthread_sigmask(SIG_BLOCK, &stop, nil)
        unsafe SignalActions.set(SIGTSTP, flags: SA_RESTART, note)
    }

    private static let note: SignalActions.Handler = { number, _, _ in
        let before = errno
        switch number {
        case SIGWINCH: TerminalSignals.hasResized.store(true, ordering: .relaxed)
        case SIGTSTP: TerminalSignals.isToStop.store(true, ordering: .relaxed)
        default: TerminalSignals.hasContinued.store(true, ordering: .relaxed)
        }
        TerminalSignals.bell?.wake()
        errno = before
    }
}
#endif
