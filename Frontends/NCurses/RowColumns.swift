#if NCurses
/// How many columns each part of a row has at a width.
///
/// They depend on the width alone, so that nothing jumps.
struct RowColumns: Equatable, Sendable {
    /// Mark of the selection, icon and a space.
    static let lead = 3

    var name: Int
    var bar = 0
    var percent = 5
    var bytes = 0
    var speed = 0
    var remaining = 0
    var phase = 0
    var attempt = 0
    var host = 0
    var status = 0

    /// The columns for a screen of that width; at least 20.
    init(width: Int) {
        if width >= 30 { remaining = 9 }
        if width >= 60 {
            bar = width < 76 ? 7 : width < 100 ? 15 : min(40, width / 4) + 1
            bytes = 10
            speed = 12
        }
        if width >= 140 {
            phase = 12
            attempt = 8
            status = 5
            host = min(30, width / 6)
        }
        name = 0
        name = width - Self.lead - tail
    }

    /// All columns after the name.
    var tail: Int { bar + percent + bytes + speed + remaining + extras }
    /// What only a wide screen has.
    var extras: Int { phase + attempt + host + status }
    /// Where a word stands that takes the place of speed and remaining time.
    var note: Int { speed + remaining }
}
#endif
