import Glibc
import WhirlBoard
public import WhirlCore

extension PlainLog {
    /// The plugin `log`.
    ///
    /// Reads `color` (`auto`, `always`, `never`), `quiet` and `verbose` (`true`, `false`).
    public static let plugin = FrontendPlugin(
        name: "log", summary: "whole lines on the standard error stream", keys: ["color", "quiet", "verbose"]
    ) { context in
        try PlainLog(Configuration(context))
    }
}

extension PlainLog.Configuration {
    /// What the settings and the environment say of a log on the standard error stream.
    ///
    /// Throws a `usage` error for a value that is none.
    public init(_ context: PluginContext) throws {
        self.init()
        let word = context.settings["color"] ?? ColorChoice.auto.rawValue
        guard let choice = ColorChoice(rawValue: word) else {
            throw TransferError(.usage, "color is auto, always or never, not \(clean(word))")
        }
        isQuiet = context.settings["quiet"] == "true"
        keepsFiles = context.settings["discards"] != "true"
        isVerbose = context.settings["verbose"] == "true"
        isColored = choice.isColored(isTerminal: isatty(descriptor) == 1, environment: context.environment)
        isASCII = Environment.isCI(context.environment) || !Environment.isUTF8(context.environment)
    }
}
