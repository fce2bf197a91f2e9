/// How a run went.
public struct RunSummary: Equatable, Sendable {
    /// Tasks that completed.
    public var completed = 0
    /// Tasks that failed.
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
