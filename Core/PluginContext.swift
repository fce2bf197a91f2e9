/// What a plugin may read when it is made.
public struct PluginContext: Sendable {
    /// Values of the options it named in `keys`, as text.
    public var settings: [String: String]
    /// The process's environment.
    public var environment: [String: String]

    /// A context.
    public init(settings: [String: String] = [:], environment: [String: String] = [:]) {
        self.settings = settings
        self.environment = environment
    }
}
