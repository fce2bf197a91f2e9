/// What a transport's module exports: its name and how to make it.
public struct TransportPlugin: Sendable {
    /// What people choose it by.
    public let name: String
    /// One line for people.
    public let summary: String
    /// What its transports can do.
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

/// What a frontend's module exports: its name and how to make it.
public struct FrontendPlugin: Sendable {
    /// What people choose it by.
    public let name: String
    /// One line for people.
    public let summary: String
    /// The configuration keys it reads.
    public let keys: [String]
    /// Versions of what it is built on, for `whirl plugins`.
    public let versions: @Sendable () -> [String: String]
    /// Makes it.
    ///
    /// Throws a `TransferError` (`usage`) when it can't work here.
    public let make: @Sendable (PluginContext) throws -> any Frontend

    /// A plugin.
    public init(
        name: String, summary: String, keys: [String] = [],
        versions: @escaping @Sendable () -> [String: String] = { [:] },
        make: @escaping @Sendable (PluginContext) throws -> any Frontend
    ) {
        self.name = name
        self.summary = summary
        self.keys = keys
        self.versions = versions
        self.make = make
    }
}

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
