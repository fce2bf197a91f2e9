public import WhirlCore

/// A transport to be judged.
public struct TransportSubject: Sendable, CustomStringConvertible {
    /// Its name.
    public let name: String
    /// Makes one with nothing under way.
    public let make: @Sendable () throws -> any Transport
    /// What it says it can do.
    public let capabilities: Capabilities

    /// A subject.
    public init(_ name: String, _ capabilities: Capabilities, make: @escaping @Sendable () throws -> any Transport) {
        self.name = name
        self.capabilities = capabilities
        self.make = make
    }

    /// The subject that a plugin makes without settings.
    public init(_ plugin: TransportPlugin) {
        self.init(plugin.name, plugin.capabilities) { try plugin.make(PluginContext()) }
    }

    /// The name.
    public var description: String { name }
}
