import WhirlBoard
public import WhirlCore

extension JSONLines {
    /// The plugin `jsonl`.
    ///
    /// Reads `progress-interval` (seconds, or `off`) and `events` (`fd:N` or a path). The latter is not among its keys:
    /// asked for by name it writes to the standard output; whoever wants a stream beside another frontend sets it.
    public static let plugin = FrontendPlugin(
        name: "jsonl", summary: "a stream of JSON Lines (schema \(RecordEncoder.schema)) for programs",
        keys: ["progress-interval"]
    ) { context in
        try JSONLines(Configuration(context), clock: context.clock ?? monotonicNanoseconds)
    }
}

extension JSONLines.Configuration {
    /// What the settings say; throws a `usage` error for a value that is none.
    public init(_ context: PluginContext) throws(TransferError) {
        self.init()
        outputName = context.settings["events-name"]
        if let events = context.settings["events"] { output = try JSONLines.Output(events) }
        switch context.settings["progress-interval"] {
        case nil: break
        case "off": progressInterval = nil
        case let text?:
            guard let interval = Double(text), interval >= 0, interval <= 86400 else {
                throw TransferError(.usage, "progress-interval makes no sense; write a number of seconds, or off")
            }
            progressInterval = interval
        }
    }
}
