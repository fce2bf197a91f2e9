import WhirlBoard
public import WhirlCore

extension PlainLog {
    /// The plugin `log`.
    ///
    /// Reads `color` (`auto`, `always`, `never`), `log-time` (`utc`, `relative`), `quiet` and `verbose` (`true`, `false`),
    /// and `log-file` (a path). The latter is not among its keys: asked for by name it writes to the standard error;
    /// whoever wants a log in a file beside another frontend sets it.
    public static let plugin = FrontendPlugin(
        name: "log", summary: "whole lines on the standard error stream",
        keys: ["color", "quiet", "verbose", "log-time"]
    ) { context in
        try PlainLog(Configuration(context), clock: context.clock ?? monotonicNanoseconds)
    }
}
