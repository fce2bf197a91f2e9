#if NCurses
import CWhirlNCurses
import WhirlBoard
public import WhirlCore

extension Dashboard {
    /// The frontend `ncurses`.
    ///
    /// It reads `color` (`auto`, `always`, `never`) and `fps` (1 to 30).
    public static let plugin = FrontendPlugin(
        name: "ncurses",
        summary: "a full screen with a row for each transfer, and keys to pause, resume and cancel",
        keys: ["color", "fps"],
        versions: { ["ncurses": version] },
        make: { context in
            try Dashboard(settings(context), board: Board(clock: context.clock ?? monotonicNanoseconds))
        })

    /// Why the dashboard can't be shown here, as a sentence's end; nil when it can.
    ///
    /// Leaves no trace on the terminal.
    public static func obstacle(_ context: PluginContext) -> String? { obstacle(settings(context)) }

    /// ncurses calls itself "ncurses 6.4.20221231".
    private static var version: String {
        let text = unsafe String(cString: whirl_curses_version())
        return text.hasPrefix("ncurses ") ? String(text.dropFirst(8)) : text
    }

    private static func settings(_ context: PluginContext) -> DashboardSettings {
        let color = context.settings["color"].flatMap(ColorChoice.init) ?? .auto
        var settings = DashboardSettings(environment: context.environment, color: color)
        settings.framesPerSecond = context.settings["fps"].flatMap { Int($0) }.map { min(30, max(1, $0)) }
        settings.keepsFiles = context.settings["discards"] != "true"
        return settings
    }
}
#endif
