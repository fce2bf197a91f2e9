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

/// What happened in a run: first comes `run`, last `end`.
public enum RunEvent: Sendable {
    case run(RunDescription)
    /// The session has accepted a request.
    case created(TaskID, TaskDescription)
    /// Something happened to a task; the update's event is never nil.
    case task(TaskID, TaskUpdate)
    case warning(String)
    case end(RunSummary)
}

/// What a run is made with.
public struct RunDescription: Equatable, Sendable {
    /// Whirl's own.
    public var version: String
    /// Its plugin's name.
    public var transport: String
    /// How many tasks may run at once.
    public var jobs: Int

    /// A description.
    public init(version: String, transport: String, jobs: Int) {
        self.version = version
        self.transport = transport
        self.jobs = jobs
    }
}

/// What a task is to do.
public struct TaskDescription: Equatable, Sendable {
    /// Redacted.
    public var url: String
    /// A path, or `-` for the standard output.
    public var destination: String
    /// Names the same work in another run: a hash of URL and destination.
    public var key: String

    /// A description.
    public init(url: String, destination: String, key: String) {
        self.url = url
        self.destination = destination
        self.key = key
    }
}

/// How a run went.
public struct RunSummary: Equatable, Sendable {
    /// Tasks that have their file.
    public var completed = 0
    /// Tasks that ended with an error.
    public var failed = 0
    /// Tasks that were ended on purpose.
    public var cancelled = 0
    /// Tasks that had nothing to do.
    public var skipped = 0
    /// Body bytes moved.
    public var bytes: Int64 = 0
    /// Those of them that were thrown away.
    public var wasted: Int64 = 0
    /// The exit code of the command.
    public var exit: Int32 = 0

    /// Nothing yet.
    public init() {}
}
