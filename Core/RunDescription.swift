/// What a run is made with.
public struct RunDescription: Equatable, Sendable {
    /// Whirl's own.
    public var version: String
    /// The transport's name.
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
