import WhirlCore

/// What a response's head means for a transfer.
enum HeadJudgement: Equatable {
    /// The body is the file's bytes from `offset` on. `restart`: why bytes in hand are thrown away; nil when none are.
    case receive(offset: Int64, total: Int64?, restart: String?)
    /// All bytes are in hand.
    case complete
    /// Throw the bytes in hand away and ask once more, without a range.
    case askAgain(reason: String)
    case redirect(location: String)
    /// The server has no newer file than the one that is there.
    case notModified
    case fail(TransferError)

    /// Judges the answer to a request that asked to go on at `point`; nil: asked for the whole.
    ///
    /// `isConditional`: it asked for a newer file only.
    init(_ head: ResponseHead, continuing point: ResumePoint?, isConditional: Bool = false) {
        switch head.status {
        case 304 where isConditional:
            self = .notModified
        case 200, 203, 204, 205:
            self = Self.whole(head, point)
        case 206:
            self = Self.part(head, point)
        case 301, 302, 303, 307, 308:
            self = Self.redirection(head)
        case 416:
            self = point.map { Self.notSatisfiable(head, $0) } ?? .fail(Self.http(head))
        default:
            self = .fail(Self.http(head))
        }
    }

    private static func whole(_ head: ResponseHead, _ point: ResumePoint?) -> HeadJudgement {
        let length: Int64?
        do { length = try contentLength(head) } catch { return .fail(error) }
        let restart = point.map { point in
            point.isSame(head) ? "ranges_ignored" : "changed"
        }
        return .receive(offset: 0, total: length, restart: restart)
    }

    /// Accepted only when it is exactly the rest of the same file.
    private static func part(_ head: ResponseHead, _ point: ResumePoint?) -> HeadJudgement {
        guard let point else {
            return .fail(
                TransferError(.malformed, "the server sent a part (206) of what was asked for whole", status: 206))
        }
        guard let range = head["content-range"].flatMap(ContentRange.init), let positions = range.positions,
            positions.lowerBound == point.offset, let total = range.total,
            total == point.total ?? total, positions.upperBound == total - 1,
            point.isSame(head)
        else { return .askAgain(reason: "changed") }
        return .receive(offset: point.offset, total: total, restart: nil)
    }

    private static func notSatisfiable(_ head: ResponseHead, _ point: ResumePoint) -> HeadJudgement {
        // It need not repeat the validator where the length speaks for itself, but must not have another one.
        let found = point.validator?.counterpart(in: head)
        let isSame = found == point.validator?.text || (found == nil && point.total != nil)
        guard let range = head["content-range"].flatMap(ContentRange.init), range.positions == nil,
            range.total == point.offset, point.total ?? point.offset == point.offset, isSame
        else { return .askAgain(reason: "changed") }
        return .complete
    }

    private static func redirection(_ head: ResponseHead) -> HeadJudgement {
        guard let location = head["location"], !location.isEmpty else {
            return .fail(
                TransferError(
                    .redirect, "the server answered \(head.status) without saying where to go", status: head.status))
        }
        return .redirect(location: location)
    }

    private static func http(_ head: ResponseHead) -> TransferError {
        let retryable: Set = [408, 425, 429, 500, 502, 503, 504, 520, 521, 522, 523, 524]
        let reason = StatusText.of(head.status).map { " \($0)" } ?? ""
        return TransferError(
            .http, "the server answered \(head.status)\(reason)", status: head.status,
            isRetryable: retryable.contains(head.status))
    }

    /// Nil when the head does not tell.
    ///
    /// Throws `protocol` for a length that is none, or several that differ (RFC 9112, section 6.3).
    static func contentLength(_ head: ResponseHead) throws(TransferError) -> Int64? {
        if head.status == 204 || head.status == 205 { return 0 }
        let values = head.values("content-length")
        guard let first = values.first else { return nil }
        if head["transfer-encoding"] != nil { return nil }
        if values.count == 1, let length = ContentRange.number(first[...]) { return length }
        let lengths = values.flatMap { $0.split(separator: ",", omittingEmptySubsequences: false).map { $0.trimmed } }
        guard lengths.allSatisfy({ $0 == lengths[0] }), let length = ContentRange.number(lengths[0]) else {
            throw TransferError(.malformed, "the server sent Content-Length: \(values.joined(separator: ", "))")
        }
        return length
    }
}

extension Substring {
    fileprivate var trimmed: Substring {
        let rest = drop { $0 == " " }
        let end = rest.lastIndex { $0 != " " }.map { rest.index(after: $0) } ?? rest.startIndex
        return rest[..<end]
    }
}
