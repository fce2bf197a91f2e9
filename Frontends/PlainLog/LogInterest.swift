import WhirlCore

/// What of a run may become a line, by events alone: of most of what happens in a large run the log need not know more.
struct LogInterest {
    /// What is to be done with an event.
    enum Answer: Equatable {
        /// It may become a line.
        case line
        /// The next beat counts it under that word.
        case beat(String)
        case nothing
    }

    /// Lines about beginnings and retries are for small runs.
    private static let few = 20
    /// Beyond so many tasks successes are told by the beat.
    private static let many = 200

    private let isVerbose: Bool
    private var created = 0

    init(isVerbose: Bool = false) { self.isVerbose = isVerbose }

    /// What becomes of the next event.
    mutating func judge(_ event: RunEvent) -> Answer {
        switch event {
        case .created: created += 1
        case .run, .warning: return .line
        case .task(_, let update):
            if let event = update.event { return judge(event, update.snapshot) }
        case .answer, .planned, .end: break
        }
        return .nothing
    }

    private func judge(_ event: TaskEvent, _ snapshot: TaskSnapshot) -> Answer {
        let isSmall = isVerbose || created <= Self.few
        switch event {
        case .resumed: return isSmall && snapshot.attempt == 0 ? .line : .nothing
        case .retrying: return isSmall ? .line : .beat("retries")
        case .restarted: return isVerbose ? .line : .nothing
        case .ended(let outcome): return isVerbose || created <= Self.many ? .line : judge(outcome)
        // At another of its URLs than its own, of which the beginning has told.
        case .attempt: return isSmall && snapshot.url != nil ? .line : .nothing
        case .redirected, .progress, .suspended, .canceling: return .nothing
        }
    }

    /// Of an end in a large run.
    private func judge(_ outcome: TaskOutcome) -> Answer {
        switch outcome {
        case .completed: .beat("done")
        case .skipped: .beat("skip")
        case .cancelled("broken_pipe"): .nothing
        case .cancelled: .beat("cancel")
        case .failed: .line
        }
    }
}
