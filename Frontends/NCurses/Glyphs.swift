#if NCurses
import WhirlBoard

/// The marks of a screen, one column each, and how its texts are measured.
struct Glyphs: Sendable {
    let spinner: [String]
    let full: String
    let empty: String
    let selected: String
    let done: String
    let failed: String
    let cancelled: String
    let skipped: String
    let paused: String
    /// Whether the terminal knows no more than ASCII.
    let isASCII: Bool
    let measure: Columns

    /// Stands for what was cut off.
    var ellipsis: String { measure.ellipsis }

    /// For terminals that show UTF-8.
    static func unicode(_ measure: Columns = Columns()) -> Glyphs {
        Glyphs(
            spinner: ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"], full: "█", empty: "░", selected: "›",
            done: "✓",
            failed: "✗", cancelled: "-", skipped: "·", paused: "‖", isASCII: false, measure: measure)
    }

    /// For all others.
    static var ascii: Glyphs {
        Glyphs(
            spinner: ["|", "/", "-", "\\"], full: "#", empty: ".", selected: ">", done: "+", failed: "x",
            cancelled: "-",
            skipped: ".", paused: "=", isASCII: true, measure: Columns(ellipsis: "~"))
    }
}
#endif
