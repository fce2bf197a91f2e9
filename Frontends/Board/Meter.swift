/// The two estimators of one attempt, or of the whole run.
///
/// A reference, so that a change costs no copy.
final class Meter {
    /// Longer than this is "nobody can tell".
    static let longest = 99 * 3600.0
    private static let stall = 5.0
    private static let renewal = 0.5
    private var window: SpeedWindow
    private var estimator: RemainingEstimator
    private var lastByte: UInt64
    private var told: (at: UInt64, remaining: Double?)?

    init(at now: UInt64) {
        window = SpeedWindow(at: now)
        estimator = RemainingEstimator(at: now)
        lastByte = now
    }

    func add(_ bytes: Int64, at now: UInt64) {
        // What was fast before a stall says nothing of how it goes on.
        if seconds(from: lastByte, to: now) >= Self.stall { reset(at: now) }
        window.add(bytes, at: now)
        estimator.add(bytes, at: now)
        lastByte = max(lastByte, now)
    }

    private func reset(at now: UInt64) {
        window = SpeedWindow(at: now)
        estimator = RemainingEstimator(at: now)
        told = nil
    }

    func speed(at now: UInt64) -> Double { window.rate(at: now) }

    /// Seconds until `left` more bytes are here.
    ///
    /// A new answer at most twice a second; nil when stalled for 5 s, before
    /// 1 s of data, or beyond 99 h.
    func remaining(_ left: Int64?, at now: UInt64) -> Double? {
        guard let left else {
            told = nil
            return nil
        }
        let isStalled = seconds(from: lastByte, to: now) >= Self.stall
        if !isStalled, let told, seconds(from: told.at, to: now) < Self.renewal { return told.remaining }
        let answer = isStalled ? nil : estimate(left, at: now)
        told = (now, answer)
        return answer
    }

    private func estimate(_ left: Int64, at now: UInt64) -> Double? {
        guard let rate = estimator.rate(at: now), rate > 0 else { return nil }
        let answer = Double(max(left, 0)) / rate
        return answer <= Self.longest ? answer : nil
    }
}
