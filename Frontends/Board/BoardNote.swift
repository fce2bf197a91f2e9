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
    /// What an event is worth saying of a task that it neither starts nor completes; nil when it is not.
    init?(_ event: TaskEvent, _ row: Row, elapsed: Double) {
        let (kind, text): (Kind, String)
        switch event {
        case .redirected(let status, let url): (kind, text) = (.moved, "\(status) to " + clean(url))
        case .suspended: (kind, text) = (.paused, "paused")
        case .retrying(let delay, _):
            (kind, text) = (.trouble, row.cause + "; again in " + Units.duration(delay))
        case .restarted(let reason): (kind, text) = (.trouble, "starts over: " + clean(reason))
        case .ended(.failed): (kind, text) = (.failed, row.cause)
        case .ended(.skipped(let reason)): (kind, text) = (.skipped, "skipped: " + clean(reason))
        case .ended(.cancelled(let reason)): (kind, text) = (.cancelled, "cancelled: " + clean(reason))
        case .resumed, .attempt, .progress, .canceling, .ended(.completed): return nil
        }
        self.init(elapsed: elapsed, kind: kind, name: row.name, text: text)
    }

    /// A task of that name has completed, `duration` seconds after its first slot; nil: it had none.
    init(elapsed: Double, completed name: String, _ received: Int64, took duration: Double?) {
        var text = Units.bytes(received)
        if let duration, duration > 0 { text += " in " + Units.duration(duration) }
        self.init(elapsed: elapsed, kind: .completed, name: name, text: text)
    }
}
