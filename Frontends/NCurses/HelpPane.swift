#if NCurses
/// What the keys do.
struct HelpPane {
    let width: Int
    let glyphs: Glyphs

    /// Shown and meant as one list: what `Browser` takes.
    static let keys: [(keys: String, meaning: String)] = [
        ("space p", "pause or resume the selected transfer"),
        ("P", "pause all, or resume all"),
        ("x", "cancel the selected transfer"),
        ("r", "retry it if it failed, else all that failed"),
        ("R", "retry all that failed"),
        ("+ -", "one more, or one fewer, at once"),
        ("Enter", "all about the selected transfer"),
        ("", ""),
        ("j k", "down and up; the arrows too"),
        ("g G", "first and last; Home and End too"),
        ("PgUp PgDn", "a page up and down"),
        ("/", "find by name or URL; Esc shows all again"),
        ("e", "errors only"),
        ("s", "sort by state, name, speed, size"),
        ("l", "the log below the rows"),
        ("", ""),
        ("q", "quit; asks once while something runs"),
        ("Q", "drain: what runs may end, nothing more starts"),
        ("Ctrl-C", "quit in order; twice: at once"),
        ("Ctrl-Z", "stop for a while; fg comes back"),
        ("Ctrl-L", "draw anew"),
    ]

    var lines: [StyledLine] {
        let column = width < 40 ? 10 : 13
        return Self.keys.flatMap { line in
            let texts = glyphs.folded(line.meaning, max(1, width - column))
            return texts.enumerated().map { index, text in
                [StyledText(glyphs.left(" " + (index == 0 ? line.keys : ""), column), .bold), StyledText(text)]
            }
        }
    }
}
#endif
