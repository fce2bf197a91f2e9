#if NCurses
/// What a person pressed.
enum Key: Equatable, Sendable {
    case up, down, pageUp, pageDown, first, last
    case enter, escape, backspace
    /// A printable character.
    case character(Character)
    /// Ctrl-L.
    case repaint
}
#endif
