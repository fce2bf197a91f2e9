/// One thing that happened in a run, and when: what frontends are given, and the JSON Lines stream is made of.
public struct RunRecord: Sendable {
    /// Seconds since the run began, on a monotonic clock.
    public var elapsed: Double
    /// Microseconds since 1970-01-01 UTC.
    public var time: Int64
    /// What happened.
    public var event: RunEvent

    /// A record.
    public init(elapsed: Double, time: Int64, event: RunEvent) {
        self.elapsed = elapsed
        self.time = time
        self.event = event
    }
}

/// What happened in a run.
///
/// First comes `run`, last `end`.
public enum RunEvent: Sendable {
    /// The run begins.
    case run(RunDescription)
    /// The session has accepted a request.
    case created(TaskID, TaskDescription)
    /// What would become of a request, in a run that only plans.
    case planned(PlannedTask)
    /// Something happened to a task; the update's event is never nil.
    case task(TaskID, TaskUpdate)
    /// Something people should know, as a sentence.
    case warning(String)
    /// A command was done, or was not.
    case answer(CommandAnswer)
    /// The run is over.
    case end(RunSummary)
}
