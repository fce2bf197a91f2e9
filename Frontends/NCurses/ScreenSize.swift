#if NCurses
/// A size in character cells.
struct ScreenSize: Equatable, Sendable {
    var columns: Int
    var rows: Int
}
#endif
