public import WhirlCore

/// Checks requests that are known before anything starts, one after the other.
///
/// Given to the session, it spares looking at them again.
public struct RequestCheck: Sendable {
    /// What the check has found out of a request.
    public struct Admission: Sendable {
        let source: SourceURL
        let mirrors: [SourceURL]
        let destination: Destination
    }

    private let configuration: SessionConfiguration
    private(set) var claims = Claims()
    /// How many requests have been looked at.
    private(set) var count = 0

    /// A check of requests of a session with that configuration.
    public init(_ configuration: SessionConfiguration = SessionConfiguration()) { self.configuration = configuration }

    /// Lets the next request pass.
    ///
    /// - Throws: `usage` for a URL or path that makes no sense, and for a path that a request before it writes to.
    @discardableResult
    public mutating func admit(_ request: TransferRequest) throws(TransferError) -> Admission {
        count += 1
        let admission = try Self.examine(request, index: request.number ?? count, configuration)
        try Self.claim(request, admission.destination, &claims)
        return admission
    }

    static func examine(
        _ request: TransferRequest, index: Int, _ configuration: SessionConfiguration
    ) throws(TransferError) -> Admission {
        let source = try SourceURL(request.url)
        var mirrors: [SourceURL] = []
        for url in request.mirrors {
            let mirror = try SourceURL(url)
            let isNew = mirror.exchange != source.exchange && !mirrors.contains { $0.exchange == mirror.exchange }
            if isNew { mirrors.append(mirror) }
        }
        for field in request.fields { try RequestFields.check(field) }
        for (algorithm, digest) in request.digests { try algorithm.check(digest) }
        return Admission(
            source: source, mirrors: mirrors,
            destination: try Destination(request, source, index: index, configuration))
    }

    static func claim(
        _ request: TransferRequest, _ destination: Destination, _ claims: inout Claims
    ) throws(TransferError) {
        // What the server is to name is claimed when it has.
        let claimed = destination.isServersToName ? Destination(regular: destination.collected) : destination
        guard !claims.claim(claimed) else { return }
        let name = destination.isStandardOutput ? "the standard output" : destination.path
        throw TransferError(
            .usage,
            "\(Redaction.url(request.url)) would be written to \(name), as another URL is; give one of them another name"
        )
    }
}
