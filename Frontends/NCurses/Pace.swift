#if NCurses
/// How often what is drawn anew, in milliseconds.
///
/// A terminal that swallows frames slowly gets fewer.
struct Pace: Equatable, Sendable {
    /// What is animated moves this often at best.
    static let tick = 100
    /// Numbers that change faster can't be read.
    private static let numbers = 250
    private static let slowest = 2000
    private static let slow = 50
    private static let enough = 10

    private static let remote = 250

    private let best: Int
    private var period: Int
    private var quick = 0

    /// A terminal at hand begins with the full rate, one that is far away with four frames a second, unless a rate is
    /// asked for.
    init(isRemote: Bool = false, framesPerSecond: Int? = nil) {
        best = framesPerSecond.map { 1000 / $0 } ?? Self.tick
        period = framesPerSecond == nil && isRemote ? Self.remote : best
    }

    /// Between two frames of an animation.
    var frames: Int { period }
    /// Between two looks at the numbers.
    var looks: Int { max(Self.numbers, period) }

    /// A frame took that long to write.
    mutating func took(_ milliseconds: Int) {
        if milliseconds > Self.slow {
            quick = 0
            period = max(best, min(period * 2, Self.slowest))
            return
        }
        quick += 1
        guard quick >= Self.enough else { return }
        quick = 0
        period = max(period / 2, best)
    }
}
#endif
