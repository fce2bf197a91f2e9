public import WhirlCore

/// How a session works.
///
/// The defaults are those of the command.
public struct SessionConfiguration: Sendable {
    /// What to do when the destination exists.
    public enum OnExists: String, Sendable, CaseIterable {
        case skip, overwrite, rename, fail
    }

    /// How many tasks may run at once, from 1.
    public var jobs = 8
    /// The same for one host; nil: as `jobs`.
    public var jobsPerHost: Int?
    /// Where relative destinations are; it is made when missing.
    public var directory = "."
    /// What to do when the destination exists.
    public var onExists = OnExists.skip
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

    /// The defaults.
    public init() {}
}
