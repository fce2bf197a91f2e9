/// At most so many starts per second, evenly spaced: pure.
struct StartPacer: Sendable {
    private let gap: UInt64
    private var next: UInt64 = 0

    /// `rate` in starts per second; nil: no limit.
    init(rate: Double?) { gap = rate.map { UInt64(min(1e18, 1e9 / $0)) } ?? 0 }

    /// When the next start may be; `now` or earlier: at once.
    var opens: UInt64 { next }

    /// Takes the next start; returns its instant.
    mutating func reserve(at now: UInt64) -> UInt64 {
        guard gap > 0 else { return now }
        let start = max(now, next)
        next = start + gap
        return start
    }
}
