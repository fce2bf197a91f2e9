import WhirlCore

/// Whether a failed attempt is followed by another, and when: pure.
struct RetryPolicy: Equatable, Sendable {
    /// What to do about a failure.
    enum Decision: Equatable {
        /// Try again after so many seconds.
        case retry(delay: Double)
        /// The failure is the task's; the error says why it is not tried again where that is of interest.
        case fail(TransferError)
    }

    /// An attempt that gained so much has not failed for nothing: it does not count.
    static let worthwhile: Int64 = 1 << 20
    /// The first delay's bounds in seconds, and the longest delay.
    private static let (least, most) = (0.5, 30.0)

    /// Attempts in a row that gained little.
    private(set) var failures = 0
    /// Failures of a kind that one more try decides: `tls` and `protocol`.
    private var doubtful = 0

    /// Judges a failure.
    ///
    /// - Parameters:
    ///   - gained: bytes that the attempt added to those in hand.
    ///   - retryAfter: seconds that the server asks to wait; nil: it does not say.
    ///   - spent: seconds since the task's first attempt began.
    ///   - random: from 0 to below 1, for the jitter.
    mutating func judge(
        _ error: TransferError, gained: Int64, retryAfter: Double?, spent: Double, random: Double,
        _ limits: SessionConfiguration
    ) -> Decision {
        guard error.isRetryable, limits.retries > 0 else { return .fail(error) }
        if [.tls, .malformed].contains(error.code) {
            doubtful += 1
            guard doubtful <= 1 else { return .fail(error) }
        }
        failures = gained >= Self.worthwhile ? 0 : failures + 1
        guard failures <= limits.retries else { return .fail(error) }
        let ceiling = min(Self.most, Self.least * Double(1 << min(failures, 10)))
        var delay = Self.least + (max(Self.least, ceiling) - Self.least) * random
        if let retryAfter {
            guard retryAfter <= limits.retryAfterMax else {
                return .fail(
                    error.notTriedAgain(
                        "it asks to wait \(Seconds.text(retryAfter)), and --retry-after-max is \(Seconds.text(limits.retryAfterMax))"
                    ))
            }
            delay = max(delay, retryAfter)
        }
        if let limit = limits.retryMaxTime, spent + delay > limit {
            return .fail(error.notTriedAgain("no new attempt after --retry-max-time, \(Seconds.text(limit))"))
        }
        return .retry(delay: delay)
    }
}

extension TransferError {
    /// The same, final, with a reason why it is not tried again.
    func notTriedAgain(_ reason: String) -> TransferError {
        var error = self
        error.message += "; \(reason)"
        error.isRetryable = false
        return error
    }
}
