import Synchronization

/// One indicator for many tasks: on while any of them runs, without flicker.
///
/// - Work that is over before the activation delay is never shown, and a gap shorter than the completion delay never
///   blinks.
/// - It counts a set of ids: a start or a stop that comes twice, or for a task that never ran, changes nothing.
/// - `onChange` is told on and off in strict alternation, beginning with on; one call at a time, on the thread that made
///   the change, with no lock held.
/// - Every call may come from any thread, also from within `onChange`.
public final class ActivityMonitor: Sendable {
    private let clock: any ActivityClock
    private let onChange: @Sendable (Bool) -> Void
    private let state: Mutex<State>

    /// A monitor that shows nothing yet.
    ///
    /// The delays are in seconds; 0 shows, or hides, on the clock's next turn.
    public init(
        activationDelay: Double = 1.0, completionDelay: Double = 0.17, clock: any ActivityClock,
        onChange: @escaping @Sendable (Bool) -> Void
    ) {
        self.clock = clock
        self.onChange = onChange
        state = Mutex(State(activationDelay: activationDelay, completionDelay: completionDelay))
    }

    /// Seconds that work has to last before it is shown; a change counts from the next start on.
    public var activationDelay: Double {
        get { state.withLock { $0.activationDelay } }
        set { state.withLock { $0.activationDelay = newValue } }
    }

    /// Seconds that nothing has to run before it is hidden; a change counts from the next end on.
    public var completionDelay: Double {
        get { state.withLock { $0.completionDelay } }
        set { state.withLock { $0.completionDelay = newValue } }
    }

    /// Whether anything is shown at all; switched on with work under way, it shows after the delay.
    public var isEnabled: Bool {
        get { state.withLock { $0.isEnabled } }
        set { change { $0.enable(newValue, at: $1) } }
    }

    /// Whether the indicator is on.
    public var isVisible: Bool { state.withLock { $0.isVisible } }
    /// How many tasks run.
    public var count: Int { state.withLock { $0.running.count } }

    /// The task runs.
    public func start(_ id: TaskID) { change { $0.start(id, at: $1) } }

    /// The task does not run, or not any more.
    public func stop(_ id: TaskID) { change { $0.stop(id, at: $1) } }

    /// Starts and stops with the state of the task, until its end.
    ///
    /// It does not extend the task's life; following one twice changes nothing.
    public func follow(_ task: any TransferTask) {
        let life = task.life
        let id = life.id
        let observation = life.observe { [weak self] in self?.take($0, of: id) }
        let gone = state.withLock { $0.observations.updateValue(observation, forKey: id) }
        withExtendedLifetime(gone) {}
        // The end may have come before there was an observation to let go.
        if life.snapshot.state == .completed { forget(id) }
    }

    private func take(_ update: TaskUpdate, of id: TaskID) {
        guard update.event != .progress else { return }  // changes no state
        if update.snapshot.state == .running { start(id) } else { stop(id) }
        if update.isTerminal { forget(id) }
    }

    private func forget(_ id: TaskID) {
        let gone = state.withLock { $0.observations.removeValue(forKey: id) }
        withExtendedLifetime(gone) {}  // its release may run a stranger's code: never under the lock
    }

    // MARK: delivery

    private func change(_ body: (inout State, UInt64) -> Void) {
        let now = clock.now
        arm(
            state.withLock { state in
                body(&state, now)
                return state.alarm()
            })
        tell()
    }

    /// One alarm at a time is enough: it looks again when it rings.
    private func arm(_ instant: UInt64?) {
        guard let instant else { return }
        clock.schedule(at: instant) { [weak self] in self?.ring(instant) }
    }

    private func ring(_ instant: UInt64) {
        let now = max(clock.now, instant)
        arm(
            state.withLock { state in
                if state.armed == instant { state.armed = nil }
                state.ring(at: now)
                return state.alarm()
            })
        tell()
    }

    /// Whoever finds nobody telling tells until all is told, so calls never overlap and never repeat a value.
    private func tell() {
        var mayBegin = true
        while let value = state.withLock({ $0.next(beginning: mayBegin) }) {
            mayBegin = false
            onChange(value)
        }
    }
}
