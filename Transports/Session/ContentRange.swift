/// The value of a `Content-Range` field in bytes (RFC 9110, section 14.4).
struct ContentRange: Equatable {
    /// First and last position; nil in `bytes */N`.
    var positions: ClosedRange<Int64>?
    /// The length of the whole; nil in `bytes 0-9/*`.
    var total: Int64?

    /// Nil for anything that is not a valid range of bytes.
    init?(_ text: String) {
        let words = text.split(separator: " ", maxSplits: 1)
        guard words.count == 2, words[0].lowercased() == "bytes" else { return nil }
        let parts = words[1].split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2 else { return nil }
        if parts[1] != "*" {
            guard let total = Self.number(parts[1]) else { return nil }
            self.total = total
        }
        if parts[0] == "*" {
            guard total != nil else { return nil }
            return
        }
        let ends = parts[0].split(separator: "-", omittingEmptySubsequences: false)
        guard ends.count == 2, let first = Self.number(ends[0]), let last = Self.number(ends[1]), first <= last,
            total.map({ last < $0 }) ?? true
        else { return nil }
        positions = first...last
    }

    /// Digits only: `Int64` alone would take a sign.
    static func number(_ text: Substring) -> Int64? {
        guard !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return Int64(text)
    }
}
