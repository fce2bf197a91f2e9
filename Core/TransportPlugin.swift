/// What a transport's module exports: its name and how to make it.
public struct TransportPlugin: Sendable {
    /// What it is asked for by.
    public let name: String
    /// One line for people.
    public let summary: String
    /// What the transport will say it can do.
    public let capabilities: Capabilities
    /// The configuration keys it reads.
    public let keys: [String]
    /// Versions of what it is built on, for `whirl plugins`.
    public let versions: @Sendable () -> [String: String]
    /// Makes it.
    ///
    /// Throws a `TransferError` (`usage`, `unsupported`) for values it can't work with.
    public let make: @Sendable (PluginContext) throws -> any Transport

    /// A plugin.
    public init(
        name: String, summary: String, capabilities: Capabilities, keys: [String] = [],
        versions: @escaping @Sendable () -> [String: String] = { [:] },
        make: @escaping @Sendable (PluginContext) throws -> any Transport
    ) {
        self.name = name
        self.summary = summary
        self.capabilities = capabilities
        self.keys = keys
        self.versions = versions
        self.make = make
    }
}
