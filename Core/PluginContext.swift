/// What a plugin may read when it is made.
public struct PluginContext: Sendable {
    /// Values of the options it named in `keys`, as text.
    public var settings: [String: String]
    /// The process's environment.
    public var environment: [String: String]
    /// Monotonic nanoseconds that the run goes by, such as those of a run that is replayed; nil: the system's.
    public var clock: (@Sendable () -> UInt64)?

    /// A context.
    public init(
        settings: [String: String] = [:], environment: [String: String] = [:],
        clock: (@Sendable () -> UInt64)? = nil
    ) {
        self.settings = settings
        self.environment = environment
        self.clock = clock
    }
}
