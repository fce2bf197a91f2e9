import WhirlBoard

/// Lets so many lines through at once, and so many a second after that.
struct TokenBucket {
    let burst: Double
    let perSecond: Double
    private var tokens: Double
    private var last: UInt64

    init(burst: Double, perSecond: Double, at now: UInt64) {
        self.burst = burst
        self.perSecond = perSecond
        tokens = burst
        last = now
    }

    /// Whether one more may pass now.
    mutating func take(at now: UInt64) -> Bool {
        tokens = min(burst, tokens + seconds(from: last, to: now) * perSecond)
        last = max(last, now)
        guard tokens >= 1 else { return false }
        tokens -= 1
        return true
    }
}
