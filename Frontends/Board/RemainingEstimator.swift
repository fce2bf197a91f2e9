import Glibc

/// A calm speed for telling the time that remains: a doubly smoothed exponential mean, 10 s deep.
///
/// Against a window it trades speed of reaction for an estimate that does not jump.
struct RemainingEstimator {
    private static let depth = 10.0
    /// Steps are gathered, so that a burst of small reads costs no arithmetic.
    private static let step = 0.1
    private let start: UInt64
    private var last: UInt64
    private var gathered: Int64 = 0
    private var once = 0.0
    private var twice = 0.0

    init(at now: UInt64) {
        start = now
        last = now
    }

    mutating func add(_ bytes: Int64, at now: UInt64) {
        gathered &+= bytes
        let passed = seconds(from: last, to: now)
        guard passed >= Self.step else { return }
        let kept = Self.weight(passed)
        once = once * kept + Double(gathered) / passed * (1 - kept)
        // Both means begin at 0: divided by the weight seen so far they are means of what came.
        let seen = 1 - Self.weight(seconds(from: start, to: now))
        twice = twice * kept + once / seen * (1 - kept)
        gathered = 0
        last = now
    }

    /// Bytes per second; nil before a second of data.
    func rate(at now: UInt64) -> Double? {
        let age = seconds(from: start, to: now)
        guard age >= 1, last > start else { return nil }
        return twice * Self.weight(seconds(from: last, to: now)) / (1 - Self.weight(age))
    }

    /// What is left of the weight of a sample of that age: a tenth after `depth`.
    private static func weight(_ age: Double) -> Double { pow(0.1, age / depth) }
}
