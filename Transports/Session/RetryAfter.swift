import WhirlCore

/// The `Retry-After` of a response (RFC 9110, section 10.2.3).
enum RetryAfter {
    /// What is longer is for ever, too.
    private static let longest = 1e9

    /// Seconds to wait from now; nil when the response does not say.
    ///
    /// A date counts from the response's own `Date`, as the server's clock may be another than ours (`wall`, in
    /// microseconds since 1970).
    static func seconds(_ head: ResponseHead, wall: Int64) -> Double? {
        guard let value = head["retry-after"] else { return nil }
        if !value.isEmpty, value.utf8.allSatisfy({ (0x30...0x39).contains($0) }) {
            return min(longest, Double(value) ?? longest)
        }
        guard let then = HTTPDate.seconds(value) else { return nil }
        let now = head["date"].flatMap(HTTPDate.seconds) ?? wall / 1_000_000
        return Double(max(0, then - now))
    }
}
