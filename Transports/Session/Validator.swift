import WhirlCore

/// What proves that bytes fetched now belong to the same file as bytes fetched before: always a strong one.
struct Validator: Equatable, Sendable {
    enum Kind: Sendable { case etag, modified }
    let kind: Kind
    /// As sent by the server, and as sent back in `If-Range`.
    let text: String

    /// The strong validator of a response: its ETag unless weak, else its Last-Modified when its Date is at least 1 s
    /// later (RFC 9110, sections 8.8.2.2 and 13.1.5).
    ///
    /// Nil when it has none.
    init?(_ head: ResponseHead) {
        if let etag = head["etag"] {
            guard etag.hasPrefix("\""), etag.count >= 2, etag.hasSuffix("\"") else { return nil }
            kind = .etag
            text = etag
            return
        }
        guard let modified = head["last-modified"], let date = head["date"],
            let then = HTTPDate.seconds(modified), let now = HTTPDate.seconds(date), now - then >= 1
        else { return nil }
        kind = .modified
        text = modified
    }

    init(etag: String) {
        kind = .etag
        text = etag
    }

    /// The same field of another response, whatever its strength.
    func counterpart(in head: ResponseHead) -> String? { kind == .etag ? head["etag"] : head["last-modified"] }
}

/// Where a transfer can go on: bytes in hand, and what proves that the rest fits.
struct ResumePoint: Equatable, Sendable {
    var offset: Int64
    var validator: Validator
    /// Nil when the first response did not tell.
    var total: Int64?
}
