/// Sums over all tasks of a run, gone rows included: `created == queued + active + paused + ended`, always.
public struct Totals: Equatable, Sendable {
    /// Tasks in all.
    public var created = 0
    /// Wait for a slot.
    public var queued = 0
    /// Run: have a slot, or wait for their next attempt.
    public var active = 0
    /// Suspended by someone.
    public var paused = 0
    /// Transferred.
    public var completed = 0
    /// Given up.
    public var failed = 0
    /// Ended on purpose.
    public var cancelled = 0
    /// There was nothing to do.
    public var skipped = 0
    /// Attempts that failed and were followed by another.
    public var retries = 0
    /// Body bytes moved in this run, those of failed attempts included.
    public var bytes: Int64 = 0
    /// Bytes in hand over all tasks; attempts of one task never add.
    public var received: Int64 = 0
    /// Bytes in hand when all is done, of the tasks whose size is known.
    public var expected: Int64 = 0
    /// Tasks whose size is not known: with any, `expected` is only a lower bound.
    public var unsized = 0
    /// Bytes per second over the last 5 s.
    public var speed = 0.0
    /// Seconds until all is done, taking tasks of unknown size to be like the others; nil when nobody can tell.
    public var remaining: Double?
    /// Seconds since the run began.
    public var elapsed = 0.0

    /// Nothing yet.
    public init() {}

    /// Tasks that ended, in whatever way.
    public var ended: Int { completed + failed + cancelled + skipped }
}
