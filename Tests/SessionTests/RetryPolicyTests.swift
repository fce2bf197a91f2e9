import Testing
import WhirlCore

@testable import WhirlSession

@Suite("Whether to try again") struct RetryPolicyTests {
    private static let limits = SessionConfiguration()
    private static let reset = TransferError(.reset, "gone")

    private func judge(
        _ policy: inout RetryPolicy, _ error: TransferError = reset, gained: Int64 = 0, retryAfter: Double? = nil,
        spent: Double = 0, random: Double = 0.999_999, limits: SessionConfiguration = limits
    ) -> RetryPolicy.Decision {
        policy.judge(error, gained: gained, retryAfter: retryAfter, spent: spent, random: random, limits)
    }

    private func delay(_ decision: RetryPolicy.Decision) -> Double? {
        if case .retry(let delay) = decision { delay } else { nil }
    }

    @Test("delays are drawn from half a second to a ceiling that doubles up to 30 s")
    func jitter() {
        var limits = Self.limits
        limits.retries = 20
        var (most, least) = (RetryPolicy(), RetryPolicy())
        let ceilings: [Double] = [1, 2, 4, 8, 16, 30, 30, 30]
        for ceiling in ceilings {
            let high = delay(judge(&most, limits: limits)) ?? 0
            #expect(abs(high - ceiling) < 0.001)
            #expect(delay(judge(&least, random: 0, limits: limits)) == 0.5)
        }
    }

    @Test("only attempts in a row that gained less than 1 MiB count")
    func gains() {
        var policy = RetryPolicy()
        for _ in 0..<5 { #expect(delay(judge(&policy, gained: 1 << 20 - 1)) != nil) }
        #expect(delay(judge(&policy, gained: 1 << 20)) != nil)
        for _ in 0..<5 { #expect(delay(judge(&policy)) != nil) }
        #expect(judge(&policy) == .fail(Self.reset))
    }

    @Test("no retries means none, however much was gained")
    func none() {
        var (policy, limits) = (RetryPolicy(), Self.limits)
        limits.retries = 0
        #expect(judge(&policy, gained: 1 << 30, limits: limits) == .fail(Self.reset))
    }

    @Test("tls and protocol failures are tried again once", arguments: [TransferError.Code.tls, .malformed])
    func once(_ code: TransferError.Code) {
        var policy = RetryPolicy()
        let error = TransferError(code, "odd")
        #expect(delay(judge(&policy, error, gained: 1 << 30)) != nil)
        #expect(judge(&policy, error, gained: 1 << 30) == .fail(error))
        #expect(delay(judge(&policy)) != nil, "another kind still is")
    }

    @Test(
        "what no retry can mend fails at once",
        arguments: [
            TransferError.Code.certificate, .diskFull, .io, .redirect, .unsupported, .tooLarge, .digestMismatch,
        ])
    func final(_ code: TransferError.Code) {
        var policy = RetryPolicy()
        #expect(judge(&policy, TransferError(code, "no")) == .fail(TransferError(code, "no")))
    }

    @Test("the server's wish to wait is followed, and one that is too long fails at once with its reason")
    func retryAfter() {
        var policy = RetryPolicy()
        #expect(judge(&policy, retryAfter: 120) == .retry(delay: 120))
        guard case .fail(let error) = judge(&policy, retryAfter: 86_400) else {
            Issue.record("waits for a day")
            return
        }
        #expect(error.message == "gone; it asks to wait 86400 s, and --retry-after-max is 300 s" && !error.isRetryable)
    }

    @Test("no attempt begins after the limit of time")
    func time() {
        var (policy, limits) = (RetryPolicy(), Self.limits)
        limits.retryMaxTime = 2.5
        #expect(delay(judge(&policy, spent: 1.4, limits: limits)) != nil)
        guard case .fail(let error) = judge(&policy, spent: 1.6, random: 0.5, limits: limits) else {
            Issue.record("tries again")
            return
        }
        #expect(error.message == "gone; no new attempt after --retry-max-time, 2.5 s")
    }
}

@Suite("Retry-After") struct RetryAfterTests {
    @Test(
        "seconds and dates count, a date from the server's own clock",
        arguments: [
            ("120", 120), ("0", 0), ("Mon, 02 Mar 2026 10:00:30 GMT", 30), ("Mon, 02 Mar 2026 09:00:00 GMT", 0),
            ("Monday, 02-Mar-26 10:00:05 GMT", 5), ("soon", nil), ("-1", nil), ("1.5", nil), ("", nil),
        ] as [(String, Double?)])
    func values(_ text: String, _ seconds: Double?) {
        let head = ResponseHead(
            status: 503,
            fields: [HTTPField("Retry-After", text), HTTPField("Date", "Mon, 02 Mar 2026 10:00:00 GMT")])
        #expect(RetryAfter.seconds(head, wall: 0) == seconds)
    }

    @Test("without a Date our own clock is taken")
    func ownClock() {
        let head = ResponseHead(status: 503, fields: [HTTPField("Retry-After", "Thu, 01 Jan 1970 00:01:00 GMT")])
        #expect(RetryAfter.seconds(head, wall: 10_000_000) == 50)
    }
}
