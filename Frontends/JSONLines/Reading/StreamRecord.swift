public import WhirlCore

/// One record of a stream `whirl/1` as it was read.
public struct StreamRecord: Equatable, Sendable {
    /// Its number, from 0; nil where the writer gave none.
    public var sequence: Int64?
    /// Seconds since the run began; nil where the writer gave none.
    public var elapsed: Double?
    /// Microseconds since 1970-01-01 UTC; nil where the writer gave none.
    public var time: Int64?
    /// What happened.
    public var event: StreamEvent

    /// A record.
    public init(sequence: Int64? = nil, elapsed: Double? = nil, time: Int64? = nil, event: StreamEvent) {
        self.sequence = sequence
        self.elapsed = elapsed
        self.time = time
        self.event = event
    }
}

/// What a record tells.
public enum StreamEvent: Equatable, Sendable {
    /// The run begins; `minor` is that of a schema `whirl/1.minor` that is newer than ours, 0 of ours.
    case run(RunDescription, minor: Int)
    /// A task is there.
    case created(TaskID, TaskDescription)
    /// It has a slot.
    case resumed(TaskID)
    /// A try begins.
    case attempt(TaskID, number: Int, offset: Int64)
    /// The server sent it elsewhere.
    case redirected(TaskID, status: Int, url: String)
    /// How far it is; total is nil while unknown.
    case progress(TaskID, received: Int64, total: Int64?, phase: TaskPhase)
    /// It stopped for a while.
    case suspended(TaskID, received: Int64, reason: String)
    /// The try failed, another follows.
    case retrying(TaskID, delay: Double, TransferError)
    /// Bytes were thrown away.
    case restarted(TaskID, offset: Int64, reason: String)
    /// It is over, with so many bytes in hand; nil where the record does not say.
    case ended(TaskID, TaskOutcome, received: Int64?, total: Int64?)
    /// Something people should know.
    case warning(String)
    /// So many records before this one could not be written.
    case lost(Int)
    /// The run is over.
    case end(RunSummary)
    /// A type that is not known here.
    case other(String)
}
