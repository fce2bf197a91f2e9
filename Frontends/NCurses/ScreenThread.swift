#if NCurses
import Glibc
import Synchronization
import WhirlBoard
import WhirlCore

/// The one thread that makes every ncurses call, from the first to the last.
final class ScreenThread: Sendable {
    private enum Phase: Equatable {
        case new
        /// The terminal is not taken yet.
        case waiting
        case up, ended
        case refused(ScreenFault)
    }
    private struct State {
        var phase = Phase.new
        var worker: WorkerThread?
    }

    private let settings: DashboardSettings
    private let terminal: TerminalType
    private let source: DashboardSource
    private let state = Mutex(State())
    /// Told when the phase has changed.
    private let answer: Waker
    private let isToEnd = Atomic<Bool>(false)
    private let hasShown = Atomic<Bool>(false)
    /// The thread sleeps without a time limit: whoever changes the board wakes it.
    private let isAsleep = Atomic<Bool>(false)

    /// How long a terminal may take to swallow the last frame, and then to be left, in seconds: together less than one.
    private static let patience = 0.4

    init(_ settings: DashboardSettings, _ terminal: TerminalType, _ source: DashboardSource) throws(ScreenFault) {
        self.settings = settings
        self.terminal = terminal
        self.source = source
        guard let answer = try? Waker(), TerminalSignals.bell != nil else { throw .noRoom }
        self.answer = answer
    }

    /// Whether the terminal knows no more than ASCII.
    var isASCII: Bool { terminal.glyphs.isASCII }

    /// Whether the terminal has ever been taken.
    var wasShown: Bool { hasShown.load(ordering: .acquiring) }

    /// Returns when the screen is up, or will be after the settings' delay; throws why it is not.
    ///
    /// `whenOver` is called when ncurses is left for good; not if this throws.
    func start(
        _ commands: @escaping @Sendable (RunCommand) -> Void, whenOver: @escaping @Sendable () -> Void
    ) throws(ScreenFault) {
        let worker = try? WorkerThread({
            let phase = self.show(commands)
            if phase == .ended { whenOver() }
            self.enter(phase)
        })
        guard let worker else { throw .noRoom }
        state.withLock { $0.worker = worker }
        while phase == .new { answer.wait(atMost: nil) }
        if case .refused(let fault) = phase {
            worker.join()
            throw fault
        }
    }

    /// How a screen was left.
    enum Departure {
        /// In order.
        case orderly
        /// The terminal took no bytes until what waited for it was dropped.
        case freed
        /// The thread had to be left behind, stuck in the terminal.
        case stuck
    }

    /// Returns when the terminal is as before.
    func end() -> Departure {
        isToEnd.store(true, ordering: .sequentiallyConsistent)
        TerminalSignals.bell?.wake()
        waitForEnd()
        let isStuck = isUnderWay
        if isStuck {
            Rescue.unblock()
            waitForEnd()
        }
        guard !isUnderWay else {
            Rescue.restore()
            return .stuck
        }
        state.withLock { $0.worker.take() }?.join()
        return isStuck ? .freed : .orderly
    }

    private func waitForEnd() {
        let end = monotonicNanoseconds() + UInt64(Self.patience * 1e9)
        while isUnderWay {
            let now = monotonicNanoseconds()
            guard now < end else { return }
            answer.wait(atMost: Double(end - now) / 1e9)
        }
    }

    private var isUnderWay: Bool { [.waiting, .up].contains(phase) }

    private var phase: Phase { state.withLock { $0.phase } }

    private func enter(_ phase: Phase) {
        state.withLock { $0.phase = phase }
        answer.wake()
    }

    /// Something has changed: draws it soon.
    func wake() {
        guard isAsleep.load(ordering: .sequentiallyConsistent) else { return }
        if isAsleep.exchange(false, ordering: .sequentiallyConsistent) { TerminalSignals.bell?.wake() }
    }

    // MARK: on the thread

    /// Shows the screen until it is to end, or its terminal is gone.
    private func show(_ commands: @escaping @Sendable (RunCommand) -> Void) -> Phase {
        TerminalSignals.maskThread()
        if settings.delay > 0 {
            enter(.waiting)
            guard waitForTurn() else { return .ended }
        }
        TerminalSignals.install()
        Rescue.install()
        defer {
            Rescue.uninstall()
            TerminalSignals.restore()
        }
        do {
            let screen = try Screen(settings, terminal)
            Rescue.arm(screen, settings)
            hasShown.store(true, ordering: .releasing)
            enter(.up)
            var loop = DashboardLoop(screen, terminal.glyphs, source, pace: settings.pace, commands)
            loop.run(self)
            loop.leave()
            return .ended
        } catch {
            // Who has been told that there would be a screen has a run to go on with.
            return settings.delay > 0 ? .ended : .refused(error)
        }
    }

    /// How often to see whether the terminal is ours: a shell does not say so.
    private static let backgroundPeriod = 0.25

    /// Returns when the terminal may be taken; false when the screen is to end before.
    private func waitForTurn() -> Bool {
        let due = monotonicNanoseconds() + UInt64(min(settings.delay, 1e9) * 1e9)
        while !mustEnd {
            let now = monotonicNanoseconds()
            if now >= due, TerminalType.isInForeground(settings.path) { return true }
            TerminalSignals.bell?.wait(atMost: now < due ? Double(due - now) / 1e9 : Self.backgroundPeriod)
        }
        return false
    }

    /// Whether the screen is to be left.
    var mustEnd: Bool { isToEnd.load(ordering: .sequentiallyConsistent) }

    /// Asks to be woken by the next change.
    func fallAsleep() { isAsleep.store(true, ordering: .sequentiallyConsistent) }

    func stayAwake() { isAsleep.store(false, ordering: .sequentiallyConsistent) }
}
#endif
