public import WhirlCore

/// One task as a frontend shows it.
public struct Row: Equatable, Sendable {
    public let id: TaskID
    /// The destination's last path segment, cleaned for a terminal.
    public var name: String
    /// Redacted and cleaned.
    public var url: String
    public var state = TaskState.suspended
    public var phase = TaskPhase.queued
    public var attempt = 0
    /// What its indicator was last told.
    public var isAnimating = false
    public var progress = TransferProgress()
    /// Bytes per second over the last 5 s of this attempt; 0 when stalled.
    public var speed = 0.0
    /// Seconds until done; nil when nobody can tell.
    public var remaining: Double?
    /// Seconds since the first slot, until now or the end; nil before.
    public var duration: Double?
    public var outcome: TaskOutcome?

    /// A row of a task that has not begun.
    public init(id: TaskID, name: String, url: String) {
        self.id = id
        self.name = name
        self.url = url
    }
}

/// Sums over all tasks of a run, gone rows included.
public struct Totals: Equatable, Sendable {
    public var created = 0
    /// Wait for a slot.
    public var queued = 0
    /// Have a slot.
    public var active = 0
    /// Suspended by someone.
    public var paused = 0
    public var completed = 0
    public var failed = 0
    public var cancelled = 0
    public var skipped = 0
    public var retries = 0
    /// Bytes moved in this run.
    public var bytes: Int64 = 0
    /// Bytes per second over the last 5 s.
    public var speed = 0.0
    /// Seconds since the run began.
    public var elapsed = 0.0

    /// Nothing yet.
    public init() {}

    /// Tasks that ended, in whatever way.
    public var ended: Int { completed + failed + cancelled + skipped }
}
