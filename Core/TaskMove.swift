/// What may happen to a task: every change of a snapshot is one of these.
enum TaskMove {
    case resume
    case suspend(reason: String)
    case cancel
    case attempt(offset: Int64, url: String? = nil)
    case redirect(status: Int, url: String)
    case report(received: Int64, total: Int64?, phase: TaskPhase)
    case phase(TaskPhase)
    case retry(delay: Double, error: TransferError)
    case restart(offset: Int64, reason: String)
    case end(TaskOutcome)
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
        case .attempt(let offset, let url):
            attempt += 1
            self.url = url
            self.offset = offset
            progress.received = max(progress.received, offset)
            return .attempt
        case .redirect(let status, let url):
            return .redirected(status: status, url: url)
        case .report(let received, let total, let phase):
            return report(received, total, state == .running ? phase : self.phase)
        case .phase(let phase):
            return report(progress.received, progress.total, phase)
        case .retry(let delay, let error):
            if state == .running { phase = .backoff }
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
