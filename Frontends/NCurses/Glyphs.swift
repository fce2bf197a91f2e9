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
    let moved: String
    let warning: String
    let rule: String
    /// Stands for "at least".
    let atLeast: String
    /// Where the next letter goes.
    let caret: String
    /// Whether the terminal knows no more than ASCII.
    let isASCII: Bool
    let measure: Columns

    /// Stands for what was cut off.
    var ellipsis: String { measure.ellipsis }

    /// For terminals that show UTF-8.
    static func unicode(_ measure: Columns = Columns()) -> Glyphs {
        Glyphs(
            spinner: ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"], full: "█", empty: "░", selected: "›",
            done: "✓", failed: "✗", cancelled: "-", skipped: "·", paused: "‖", moved: "→", warning: "!", rule: "─",
            atLeast: "≥", caret: "▏", isASCII: false, measure: measure)
    }

    /// For all others.
    static var ascii: Glyphs {
        Glyphs(
            spinner: ["|", "/", "-", "\\"], full: "#", empty: ".", selected: ">", done: "+", failed: "x",
            cancelled: "-", skipped: ".", paused: "=", moved: ">", warning: "!", rule: "-", atLeast: ">",
            caret: "_", isASCII: true, measure: Columns(ellipsis: "~"))
    }

    /// The spinner at a tick.
    func spinner(at tick: Int) -> String { spinner[tick % spinner.count] }

    /// A bar of that width; only what is whole fills it.
    func bar(_ fraction: Double, _ width: Int) -> String {
        let filled = max(0, min(Int(fraction * Double(width)), width))
        return repeated(full, filled) + repeated(empty, width - filled)
    }

    func repeated(_ glyph: String, _ count: Int) -> String { String(repeating: glyph, count: max(0, count)) }
}
#endif
