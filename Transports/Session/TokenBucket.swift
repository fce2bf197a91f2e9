/// How many bytes may pass a second: pure.
///
/// Who comes reserves its bytes and is told when they may pass, so that those who wait pass in order.
struct TokenBucket: Sendable {
    private let rate: Double
    /// May be below 0: bytes that are promised.
    private var tokens: Double
    private var last: UInt64

    /// `rate` in bytes per second, from 1.
    init(rate: Int64, now: UInt64) {
        self.rate = Double(max(1, rate))
        tokens = 0
        last = now
    }

    /// Up to so many seconds' worth may be saved up.
    private static let burst = 0.1

    /// Reserves; returns the instant at which the bytes may pass, `now` for at once.
    mutating func reserve(_ count: Int, at now: UInt64) -> UInt64 {
        if now > last {
            tokens = min(rate * Self.burst, tokens + Double(now - last) / 1e9 * rate)
            last = now
        }
        defer { tokens -= Double(count) }
        return tokens >= 0 ? now : now + UInt64(-tokens / rate * 1e9)
    }
}
