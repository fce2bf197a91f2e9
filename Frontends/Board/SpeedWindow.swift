/// Bytes per second over the last 5 s: reacts at once, and is 0 when nothing came for 5 s.
public struct SpeedWindow: Sendable {
    private static let bucket: UInt64 = 250_000_000
    private static let count: UInt64 = 20
    private var buckets = InlineArray<20, Int64>(repeating: 0)
    private var sum: Int64 = 0
    private var newest: UInt64
    private let start: UInt64

    /// A window that begins at `now`, in nanoseconds.
    public init(at now: UInt64) {
        newest = now / Self.bucket
        start = now
    }

    /// Counts bytes that came just now.
    public mutating func add(_ bytes: Int64, at now: UInt64) {
        advance(to: now)
        buckets[Int(newest % Self.count)] &+= bytes
        sum &+= bytes
    }

    /// The speed now.
    public mutating func rate(at now: UInt64) -> Double {
        advance(to: now)
        let covered = (Self.count - 1) * Self.bucket + now % Self.bucket
        let age = now > start ? now - start : 0
        // A first burst of a few milliseconds is no speed yet.
        return Double(sum) / (Double(max(min(age, covered), Self.bucket)) / 1e9)
    }

    private mutating func advance(to now: UInt64) {
        let number = now / Self.bucket
        guard number > newest else { return }
        for step in 1...min(number - newest, Self.count) {
            let index = Int((newest + step) % Self.count)
            sum &-= buckets[index]
            buckets[index] = 0
        }
        newest = number
    }
}
