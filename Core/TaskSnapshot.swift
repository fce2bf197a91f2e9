/// A task at one moment.
public struct TaskSnapshot: Equatable, Sendable {
    /// A new task is suspended.
    public internal(set) var state = TaskState.suspended
    /// What it is at, within the state.
    public internal(set) var phase = TaskPhase.queued
    /// Lifecycle events so far: two snapshots with the same number saw the same events.
    public internal(set) var ordinal: UInt64 = 0
    /// The try under way, from 1; 0 before the first.
    public internal(set) var attempt = 0
    /// Bytes in hand when the attempt began: what came since is `progress.received - offset`.
    public internal(set) var offset: Int64 = 0
    /// How far it is.
    public internal(set) var progress = TransferProgress()
    /// How the task ended; nil while it has not.
    public internal(set) var outcome: TaskOutcome?

    /// A task that has not begun.
    public init() {}
}

extension TaskSnapshot {
    /// Makes the move and says what happened; nil, with nothing changed, when it is not legal now or changes nothing.
    ///
    /// A completed task never changes again.
    mutating func apply(_ move: TaskMove) -> TaskEvent? {
        guard state != .completed else { return nil }
        let event = change(by: move)
        if let event, event != .progress { ordinal += 1 }
        return event
    }

    private mutating func change(by move: TaskMove) -> TaskEvent? {
        switch move {
        case .resume:
            guard state == .suspended else { return nil }
            state = .running
            phase = .connecting
            return .resumed
        case .suspend(let reason):
            guard state == .running else { return nil }
            state = .suspended
            phase = .paused
            return .suspended(reason: reason)
        case .cancel:
            guard state != .canceling else { return nil }
            state = .canceling
            return .canceling
        case .attempt(let offset):
            attempt += 1
            self.offset = offset
            progress.received = max(progress.received, offset)  // only `restart` lowers it
            return .attempt
        case .redirect(let status, let url):
            return .redirected(status: status, url: url)
        case .report(let received, let total, let phase):
            return report(received, total, state == .running ? phase : self.phase)
        case .phase(let phase):
            return report(progress.received, progress.total, phase)
        case .retry(let delay, let error):
            phase = .backoff
            return .retrying(delay: delay, error: error)
        case .restart(let offset, let reason):
            self.offset = offset
            progress = TransferProgress(received: offset)
            return .restarted(reason: reason)
        case .end(let outcome):
            return end(outcome)
        }
    }

    /// Bytes never go back within an attempt: a smaller number is ignored.
    private mutating func report(_ received: Int64, _ total: Int64?, _ phase: TaskPhase) -> TaskEvent? {
        guard received >= progress.received else { return nil }
        let next = TransferProgress(received: received, total: total)
        guard next != progress || phase != self.phase else { return nil }
        progress = next
        self.phase = phase
        return .progress
    }

    private mutating func end(_ outcome: TaskOutcome) -> TaskEvent {
        state = .completed
        self.outcome = outcome
        if case .completed = outcome {
            progress.total = progress.received
            progress.isComplete = true
        }
        return .ended(outcome)
    }
}
