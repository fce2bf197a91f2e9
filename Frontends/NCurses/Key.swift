#if NCurses
/// What a person pressed.
enum Key: Equatable, Sendable {
    case up, down, pageUp, pageDown, first, last
    /// A printable ASCII character.
    case character(Character)
    /// Ctrl-L.
    case repaint
}
#endif
