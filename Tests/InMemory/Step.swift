public import WhirlCore

/// One step of a script: what a scripted exchange does next.
///
/// A script that runs out without `end` ends as `finished`.
public enum Step: Sendable {
    /// Reports a phase.
    case phase(TaskPhase)
    /// Delivers the head.
    case head(ResponseHead)
    /// Delivers these bytes in one call; again, after `unpause()`, when the handler was full. Waits while paused.
    case body([UInt8])
    /// Goes on when the latch is open; a cancel ends the exchange here.
    case wait(Latch)
    /// Goes on when the latch is open, and is deaf to everything until then: a transport that is stuck.
    case hang(Latch)
    /// Calls a test's code, on the transport's thread.
    case call(@Sendable () -> Void)
    /// Ends the exchange. `finished` waits while paused, a failure does not.
    case end(ExchangeOutcome.Result)
}

extension Step {
    /// A head of these fields.
    public static func head(_ status: Int, _ fields: [HTTPField]) -> Step {
        .head(ResponseHead(status: status, version: .http11, fields: fields))
    }

    /// The head of a whole file: 200 with its length (nil: unknown) and a strong validator (nil: none).
    public static func whole(_ length: Int?, etag: String? = "\"1\"") -> Step {
        var fields: [HTTPField] = []
        if let length { fields.append(HTTPField("Content-Length", "\(length)")) }
        if let etag { fields.append(HTTPField("ETag", etag)) }
        return .head(200, fields)
    }

    /// The head of the rest of a file, from `offset` on.
    public static func rest(from offset: Int, of length: Int, etag: String = "\"1\"") -> Step {
        .head(
            206,
            [
                HTTPField("Content-Length", "\(length - offset)"), HTTPField("ETag", etag),
                HTTPField("Content-Range", "bytes \(offset)-\(length - 1)/\(length)"),
            ])
    }
}

extension [Step] {
    /// A whole file in one piece.
    public static func file(_ bytes: [UInt8], etag: String? = "\"1\"") -> [Step] {
        [.whole(bytes.count, etag: etag)] + (bytes.isEmpty ? [] : [.body(bytes)])
    }

    /// An answer without a body.
    public static func status(_ status: Int, _ fields: [HTTPField] = []) -> [Step] {
        [.head(status, fields + [HTTPField("Content-Length", "0")])]
    }

    /// A redirect.
    public static func redirect(_ location: String, status: Int = 302) -> [Step] {
        .status(status, [HTTPField("Location", location)])
    }

    /// An end without an answer.
    public static func failure(_ error: TransferError) -> [Step] { [.end(.failed(error))] }
}
