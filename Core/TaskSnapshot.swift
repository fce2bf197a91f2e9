/// A task at one moment.
public struct TaskSnapshot: Equatable, Sendable {
    /// Which of the four states it is in.
    public internal(set) var state = TaskState.suspended
    /// A finer word, for showing.
    public internal(set) var phase = TaskPhase.queued
    /// Lifecycle events so far: two snapshots with the same number saw the same events.
    public internal(set) var ordinal: UInt64 = 0
    /// The try under way, from 1; 0 before the first.
    public internal(set) var attempt = 0
    /// Where the attempt goes, without secrets; nil: to the task's own URL.
    public internal(set) var url: String?
    /// Bytes in hand when the attempt began: what came since is `progress.received - offset`.
    public internal(set) var offset: Int64 = 0
    /// How far the transfer is.
    public internal(set) var progress = TransferProgress()
    /// How the task ended; nil while it has not.
    public internal(set) var outcome: TaskOutcome?

    /// A task that has not begun.
    public init() {}
}
