/// What a frontend's module exports: its name and how to make it.
public struct FrontendPlugin: Sendable {
    /// What it is asked for by.
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
