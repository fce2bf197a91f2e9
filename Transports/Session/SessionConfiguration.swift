public import WhirlCore

/// How a session works.
///
/// The defaults are those of the command.
public struct SessionConfiguration: Sendable {
    /// What to do when the destination exists.
    public enum OnExists: String, Sendable, CaseIterable {
        case skip, overwrite, rename, fail
    }

    /// When a transfer may go on where another attempt, or another run, stopped.
    public enum Resume: String, Sendable, CaseIterable {
        /// When the server proves that the file is still the same; else it starts over.
        case auto
        /// The same, but what can't be continued fails with `changed` rather than starting over.
        case strict
        /// Never: always from the first byte.
        case never
        /// As `auto`, and without proof where the server gives none. What is made so may be a mixture.
        case unsafe
    }

    /// What a file has to survive once its task has completed.
    public enum Durability: String, Sendable, CaseIterable {
        /// The end of the process.
        case none
        /// A loss of power, for its bytes: they are synced before it takes its name, and folders once a second.
        case file
        /// A loss of power, for its name too: the folder is synced before the task completes.
        case full
    }

    /// How many tasks may run at once, from 1.
    public var jobs = 8
    /// The same for one host; nil: as `jobs`.
    public var jobsPerHost: Int?
    /// Where relative destinations are; it is made when missing.
    public var directory = "."
    /// What to do when the destination exists.
    public var onExists = OnExists.skip
    /// When bytes in hand are of use.
    public var resume = Resume.auto
    /// What a completed file survives.
    public var durability = Durability.file
    /// Whether existing files are fetched again where the server has newer ones.
    ///
    /// It asks by the validators that an earlier run with `refresh` kept in extended attributes of the file.
    public var refreshes = false
    /// Whether `Content-Disposition` names files (RFC 6266) whose destination is `suggested`.
    public var usesRemoteName = false
    /// Whether completed files get the time of `Last-Modified`.
    public var usesRemoteTime = false
    /// Bytes a file may have at most; nil: any number.
    public var maxSize: Int64?

    /// How many attempts in a row may fail that each gained less than 1 MiB, beyond the first; 0: no retry at all.
    public var retries = 5
    /// Seconds from a task's first attempt after which no other begins; nil: no limit.
    public var retryMaxTime: Double?
    /// The longest `Retry-After` that is waited for, in seconds; a longer one fails at once.
    public var retryAfterMax = 300.0

    /// Requests that may start per second, of the whole run; nil: any number.
    public var startRate: Double?
    /// Body bytes per second of the whole run; nil: any number.
    ///
    /// Takes a transport with the capability `backpressure`.
    public var limitRate: Int64?
    /// Body bytes per second of each task; nil: any number.
    ///
    /// Takes a transport with the capability `backpressure`.
    public var limitRatePerTask: Int64?
    /// Seconds from the session's beginning after which what is unfinished fails with `timeout`; nil: no limit.
    public var deadline: Double?
    /// Whether the first failure ends the run: nothing more starts, and what runs is cancelled.
    public var failsFast = false

    /// Seconds until there must be a connection.
    public var connectTimeout = 30.0
    /// Seconds without a byte after which an exchange is given up.
    public var idleTimeout = 60.0
    /// Seconds that a paused task's connection is kept, where the transport can hold it; 0: let go at once.
    ///
    /// A kept one goes on sooner, but its server goes on sending until the system's buffer is full, which can be
    /// megabytes. One without a strong validator is kept in any case: nothing else saves its bytes.
    public var pauseKeeping = 0.0
    /// How many redirects of one attempt are followed.
    public var redirectLimit = 20
    /// Header fields of every request.
    public var fields: [HTTPField] = []
    /// The transport's name, for events and errors.
    public var transportName = ""
    /// Whirl's version, for events and the `User-Agent`.
    public var version = "0.1.0"
    /// New tasks do not start until resumed.
    public var startsPaused = false

    /// Whether an earlier run has completed the work of that `TaskDescription.key`.
    ///
    /// Its task is skipped with the reason `journal`, as long as its file is there; nil: no earlier run counts.
    public var isDone: (@Sendable (_ key: String) -> Bool)?

    /// The defaults.
    public init() {}
}
