import WhirlCore

/// One line of what happened, for people.
public struct BoardNote: Equatable, Sendable {
    /// What kind of thing it was.
    public enum Kind: Sendable {
        case started, moved, trouble, paused, completed, failed, skipped, cancelled, warning
    }

    /// Seconds since the run began.
    public var elapsed: Double
    /// What kind of thing it was.
    public var kind: Kind
    /// The task's name, cleaned; empty when it concerns none.
    public var name: String
    /// The rest, cleaned.
    public var text: String

    /// A note; both texts must be clean.
    public init(elapsed: Double, kind: Kind, name: String, text: String) {
        self.elapsed = elapsed
        self.kind = kind
        self.name = name
        self.text = text
    }
}

extension BoardNote {
    /// What an event is worth saying of a task; nil when it is not.
    ///
    /// `duration`: seconds since its first slot; nil before.
    init?(_ event: TaskEvent, _ row: Row, took duration: Double?, elapsed: Double) {
        let (kind, text): (Kind, String)
        switch event {
        case .resumed: (kind, text) = row.attempt == 0 ? (.started, "starts") : (.started, "goes on")
        case .redirected(let status, let url): (kind, text) = (.moved, "\(status) to " + clean(url))
        case .suspended: (kind, text) = (.paused, "paused")
        case .retrying(let delay, _):
            (kind, text) = (.trouble, row.cause + "; again in " + Units.duration(delay))
        case .restarted(let reason): (kind, text) = (.trouble, "starts over: " + clean(reason))
        case .ended(let outcome): (kind, text) = Self.end(outcome, row, duration)
        case .attempt, .progress, .canceling: return nil
        }
        self.init(elapsed: elapsed, kind: kind, name: row.name, text: text)
    }

    private static func end(_ outcome: TaskOutcome, _ row: Row, _ duration: Double?) -> (Kind, String) {
        switch outcome {
        case .failed: return (.failed, row.cause)
        case .skipped(let reason): return (.skipped, "skipped: " + clean(reason))
        case .cancelled(let reason): return (.cancelled, "cancelled: " + clean(reason))
        case .completed:
            var text = Units.bytes(row.progress.received)
            if let duration, duration > 0 { text += " in " + Units.duration(duration) }
            return (.completed, text)
        }
    }
}
