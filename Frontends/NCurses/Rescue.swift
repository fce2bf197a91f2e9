#if NCurses
import CWhirlNCurses
import Glibc
import Synchronization

/// Gives the terminal back when the screen can't: the process dies, or the terminal takes no more bytes.
///
/// Whoever disarms it first restores; all that it needs lies in memory that is allocated once and kept, and everything
/// it calls is safe in a signal handler.
enum Rescue {
    @safe private struct Memory {
        /// A descriptor of the terminal that never blocks.
        var terminal: Int32 = -1
        var modes = termios()
        /// What leaves the screen.
        var farewell: UnsafeMutableRawBufferPointer
        var length = 0
        var held: HeldOutput?
        var scratch: UnsafeMutableRawBufferPointer
    }

    private static let address = Atomic<UInt>(0)
    private static let isArmed = Atomic<Bool>(false)
    /// Whether the terminal shows the screen now: not while the process is stopped or in the background.
    static let isShown = Atomic<Bool>(false)
    /// The process is about to die: nobody may draw any more.
    private static let isLost = Atomic<Bool>(false)

    private static let faults = [SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGABRT, SIGFPE]
    /// Taken only where nobody else has: a launcher's own handlers end the run in order.
    private static let ends = [SIGINT, SIGTERM, SIGHUP, SIGQUIT]

    /// The thread that draws just now; 0 when none does.
    private static let drawer = Atomic<UInt>(0)

    /// Draws, unless the process is about to die: whoever restores the terminal waits for the end of it.
    ///
    /// Whether it has drawn.
    static func draw(_ body: () -> Void) -> Bool {
        drawer.store(pthread_self(), ordering: .sequentiallyConsistent)
        defer { drawer.store(0, ordering: .sequentiallyConsistent) }
        guard !isLost.load(ordering: .sequentiallyConsistent) else { return false }
        body()
        return true
    }

    /// Takes over the signals a process dies of.
    static func install() {
        // Every global a handler touches is made here: it must not be the first.
        _ = isArmed.load(ordering: .relaxed)
        drawer.store(0, ordering: .relaxed)
        isLost.store(false, ordering: .relaxed)
        for number in faults {
            _ = unsafe SignalActions.take(number, flags: SA_ONSTACK | SA_NODEFER, die) { $0 != .ignored }
        }
        for number in ends {
            _ = unsafe SignalActions.take(number, flags: SA_ONSTACK | SA_NODEFER, die) { $0 == .standard }
        }
    }

    /// Gives the signals back.
    static func uninstall() {
        for number in faults + ends { SignalActions.giveBack(number) }
    }

    /// From now on there is a terminal to restore, and its standard error to hold.
    static func arm(_ screen: borrowing Screen, _ settings: DashboardSettings) {
        guard let memory = unsafe memory() else { return }
        let farewell = screen.farewell
        unsafe memory.pointee.terminal = open(settings.path, O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
        unsafe memory.pointee.modes = screen.modes
        unsafe memory.pointee.length = min(farewell.count, memory.pointee.farewell.count)
        unsafe memory.pointee.farewell.copyBytes(from: farewell.prefix(memory.pointee.length))
        unsafe memory.pointee.held = HeldOutput(settings.standardError)
        isShown.store(true, ordering: .relaxed)
        isArmed.store(true, ordering: .releasing)
    }

    /// The screen was left in order: only what was held remains to be written.
    static func disarm() {
        guard isArmed.exchange(false, ordering: .acquiringAndReleasing), let memory = unsafe memory() else { return }
        unsafe memory.pointee.held?.release(scratch: memory.pointee.scratch)
        unsafe close(memory.pointee.terminal)
    }

    /// Frees a thread that is blocked in writing to the terminal: lets its output go on (Ctrl-S) and drops what waits.
    static func unblock() {
        guard isArmed.load(ordering: .acquiring), isShown.load(ordering: .relaxed), let memory = unsafe memory() else {
            return
        }
        withoutStop { unsafe free(memory.pointee.terminal) }
    }

    private static func free(_ terminal: Int32) {
        // Dropping what waits wakes nobody; holding output and letting it go on again does, also after Ctrl-S.
        tcflush(terminal, TCOFLUSH)
        tcflow(terminal, TCOOFF)
        tcflow(terminal, TCOON)
    }

    /// Changes the terminal, which from the background would stop the process: it shows nothing there, but may just have
    /// got there.
    private static func withoutStop(_ body: () -> Void) {
        var stop = sigset_t()
        var before = sigset_t()
        unsafe sigemptyset(&stop)
        unsafe sigaddset(&stop, SIGTTOU)
        unsafe pthread_sigmask(SIG_BLOCK, &stop, &before)
        body()
        unsafe pthread_sigmask(SIG_SETMASK, &before, nil)
    }

    /// Restores the terminal and writes what was held; nothing when that has been done.
    ///
    /// Takes a tenth of a second where the terminal takes no bytes, and two where it never will; what waits for it is
    /// dropped then.
    static func restore() {
        guard isArmed.exchange(false, ordering: .acquiringAndReleasing) else { return }
        isLost.store(true, ordering: .sequentiallyConsistent)
        guard let memory = unsafe UnsafeMutablePointer<Memory>(bitPattern: address.load(ordering: .acquiring)) else {
            return
        }
        if isShown.load(ordering: .relaxed) {
            let terminal = unsafe memory.pointee.terminal
            var rest = unsafe UnsafeRawBufferPointer(rebasing: memory.pointee.farewell[..<memory.pointee.length])
            withoutStop {
                if unsafe !say(&rest, terminal) {
                    free(terminal)
                    _ = unsafe say(&rest, terminal)
                }
                unsafe tcsetattr(terminal, TCSANOW, &memory.pointee.modes)
            }
        }
        unsafe memory.pointee.held?.release(scratch: memory.pointee.scratch)
    }

    /// Writes the bytes once nobody draws, and tells whether they are written within a tenth of a second.
    ///
    /// A terminal refuses a write that must not wait also while another thread's is under way.
    private static func say(_ bytes: inout UnsafeRawBufferPointer, _ terminal: Int32) -> Bool {
        for _ in 0..<50 {
            let drawer = drawer.load(ordering: .sequentiallyConsistent)
            if drawer == 0 || drawer == pthread_self() {
                let count = unsafe write(terminal, bytes.baseAddress, bytes.count)
                if count < 0, errno != EAGAIN, errno != EINTR { return true }
                unsafe bytes = UnsafeRawBufferPointer(rebasing: bytes[max(0, count)...])
                if unsafe bytes.isEmpty { return true }
            }
            poll(nil, 0, 2)
        }
        return false
    }

    private static let die: SignalActions.Handler = { number, information, _ in
        Rescue.restore()
        SignalActions.giveBack(number)
        // After a fault of its own the instruction faults again, under the action of before, which shows the right
        // line; a signal that was sent has to be sent again.
        let isFault = unsafe (information?.pointee.si_code ?? 0) > 0 && number != SIGTRAP && number != SIGABRT
        if !isFault { raise(number) }
    }

    private static func memory() -> UnsafeMutablePointer<Memory>? {
        if address.load(ordering: .acquiring) == 0 {
            let memory = UnsafeMutablePointer<Memory>.allocate(capacity: 1)
            unsafe memory.initialize(
                to: Memory(
                    farewell: .allocate(byteCount: 256, alignment: 1),
                    scratch: .allocate(byteCount: 4096, alignment: 1)))
            address.store(UInt(bitPattern: memory), ordering: .releasing)
        }
        return unsafe UnsafeMutablePointer<Memory>(bitPattern: address.load(ordering: .acquiring))
    }
}
#endif
