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

    init(modified: String) {
        kind = .modified
        text = modified
    }

    /// Whether it can be the value of a header field: one that was read from a file may be anything.
    var isSendable: Bool { !text.isEmpty && text.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F } }

    /// The same field of another response, whatever its strength.
    func counterpart(in head: ResponseHead) -> String? { kind == .etag ? head["etag"] : head["last-modified"] }
}

/// Where a transfer can go on: bytes in hand, and what proves that the rest fits.
struct ResumePoint: Equatable, Sendable {
    var offset: Int64
    /// Nil: it goes on without proof, as `unsafe` allows or a digest makes up for.
    var validator: Validator?
    /// Nil when the first response did not tell.
    var total: Int64?
    /// What the server said the whole file hashes to.
    var served: [DigestAlgorithm: String] = [:]
    /// Which of the request's URLs sent the bytes: 0 is its own, and -1 none of them.
    var mirror = 0

    /// What can be made of it at another of the request's URLs: only a digest of the whole says that the rest fits.
    func at(_ mirror: Int, hasDigest: Bool) -> ResumePoint? {
        if mirror == self.mirror { return self }
        return hasDigest ? ResumePoint(offset: offset, validator: nil, total: total, mirror: self.mirror) : nil
    }

    /// Whether the response is of the same file, as far as there is proof.
    func isSame(_ head: ResponseHead) -> Bool { validator.map { $0.counterpart(in: head) == $0.text } ?? true }
}
