#if NCurses
import CWhirlNCurses
import WhirlBoard

/// The last look at a text before the terminal gets it: whatever came here, nothing moves the cursor and nothing wraps.
enum Printable {
    /// As much of the text as fits, measured as ncurses does, and the columns it takes.
    ///
    /// What is not printable becomes a question mark.
    static func cut(_ text: String, to columns: Int) -> (text: String, columns: Int) {
        if text.isPlain, text.utf8.count <= columns { return (text, text.utf8.count) }
        var kept = String.UnicodeScalarView()
        var used = 0
        for scalar in text.unicodeScalars {
            let width = Int(whirl_width(scalar.value))
            guard used + abs(width) <= columns else { break }
            kept.append(width < 0 ? "?" : scalar)
            used += abs(width)
        }
        return (String(kept), used)
    }
}
#endif
