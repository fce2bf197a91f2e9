public import WhirlCore

extension JSONLines {
    /// The plugin `jsonl`.
    ///
    /// Reads `output` (`-`, `fd:N` or a path; the standard output when absent) and `progress-interval` (seconds, or
    /// `off`).
    public static let plugin = FrontendPlugin(
        name: "jsonl", summary: "a stream of JSON Lines (schema \(RecordEncoder.schema)) for programs",
        keys: ["output", "progress-interval"]
    ) { context in
        try JSONLines(Configuration(context))
    }
}

extension JSONLines.Configuration {
    /// What the settings say; throws a `usage` error for a value that is none.
    public init(_ context: PluginContext) throws(TransferError) {
        self.init()
        if let output = context.settings["output"] { self.output = try JSONLines.Output(output) }
        switch context.settings["progress-interval"] {
        case nil: break
        case "off": progressInterval = nil
        case let text?:
            guard let interval = Double(text), interval >= 0, interval <= 86400 else {
                throw TransferError(.usage, "progress-interval is a number of seconds or off")
            }
            progressInterval = interval
        }
    }
}
