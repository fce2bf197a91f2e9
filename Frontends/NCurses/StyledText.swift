#if NCurses
/// How a piece of text looks.
///
/// Marks and words say the same: a style never carries a meaning alone.
enum Style: Sendable {
    case plain, bold, dim, running, good, warning, bad
    /// The selected row and the header.
    case reverse
    /// What has gone wrong, within the header.
    case alarm
}

/// Text of one style.
struct StyledText: Equatable, Sendable {
    var text: String
    var style: Style

    init(_ text: String, _ style: Style = .plain) {
        self.text = text
        self.style = style
    }
}

/// One line of the screen, never wider than it.
typealias StyledLine = [StyledText]
#endif
