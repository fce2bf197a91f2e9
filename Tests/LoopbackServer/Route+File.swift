/// A file that a route serves as real servers do.
public struct ServedFile: Sendable {
    /// In bytes.
    public var size: Int64
    /// Which bytes.
    public var seed: Int
    /// With its quotes, and `W/` when weak; nil: none.
    public var etag: String?
    /// An HTTP date; nil: none.
    public var lastModified: String?
    /// How fast it goes out.
    public var pace: Pace
    /// More field lines, such as `Date`.
    public var fields: [String]
    /// Whether ranges are honoured.
    public var acceptsRanges: Bool

    /// A file; its ETag follows from seed and size unless it is given.
    public init(
        size: Int64, seed: Int = 1, etag: String? = "", lastModified: String? = nil, pace: Pace = .full,
        fields: [String] = [], acceptsRanges: Bool = true
    ) {
        self.size = size
        self.seed = seed
        self.etag = etag == "" ? "\"\(seed)-\(size)\"" : etag
        self.lastModified = lastModified
        self.pace = pace
        self.fields = fields
        self.acceptsRanges = acceptsRanges
    }
}

extension Route {
    /// Serves a file with its validators, whole or by `Range` and `If-Range` (RFC 9110, section 14).
    ///
    /// The status is 200, 206 or 416. Several ranges at once are answered with the whole file.
    public static func file(_ file: ServedFile) -> Route { Route { file.answer($0) } }

    /// The same with the defaults.
    public static func file(size: Int64, seed: Int = 1, pace: Pace = .full) -> Route {
        .file(ServedFile(size: size, seed: seed, pace: pace))
    }

    /// A file that changes: each request is served as `choose` says.
    public static func files(_ choose: @escaping @Sendable (ReceivedRequest) -> ServedFile) -> Route {
        Route { choose($0).answer($0) }
    }
}

extension ServedFile {
    fileprivate enum Selection { case all, part(Range<Int64>), unsatisfiable }

    fileprivate func answer(_ request: ReceivedRequest) -> [Route.Step] {
        var lines = fields
        if let etag { lines.append("ETag: \(etag)") }
        if let lastModified { lines.append("Last-Modified: \(lastModified)") }
        if acceptsRanges { lines.append("Accept-Ranges: bytes") }
        let pattern = BodyPattern(seed)
        switch selection(request) {
        case .all:
            return [
                .head("200 OK", lines + ["Content-Length: \(size)"]), .body(pattern, 0..<size, chunked: false, pace),
            ]
        case .part(let range):
            lines.append("Content-Range: bytes \(range.lowerBound)-\(range.upperBound - 1)/\(size)")
            lines.append("Content-Length: \(range.upperBound - range.lowerBound)")
            return [.head("206 Partial Content", lines), .body(pattern, range, chunked: false, pace)]
        case .unsatisfiable:
            let page = Array("no such range\n".utf8)
            lines += ["Content-Range: bytes */\(size)", "Content-Length: \(page.count)"]
            return [.head("416 Range Not Satisfiable", lines), .content(page)]
        }
    }

    private func selection(_ request: ReceivedRequest) -> Selection {
        guard acceptsRanges, request.method == "GET", let range = request["Range"], range.hasPrefix("bytes="),
            isCurrent(request["If-Range"])
        else { return .all }
        let ends = range.dropFirst(6).split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
        guard ends.count == 2, !range.contains(",") else { return .all }
        guard let first = Int64(ends[0]) else {
            guard ends[0].isEmpty, let suffix = Int64(ends[1]) else { return .all }
            return suffix > 0 && size > 0 ? .part(max(0, size - suffix)..<size) : .unsatisfiable
        }
        guard first < size else { return .unsatisfiable }
        guard !ends[1].isEmpty else { return .part(first..<size) }
        guard let last = Int64(ends[1]), last >= first else { return .all }
        return .part(first..<min(size, last + 1))
    }

    /// RFC 9110, section 13.1.5: a strong comparison; a weak ETag never matches.
    private func isCurrent(_ validator: String?) -> Bool {
        guard let validator else { return true }
        if validator.hasPrefix("\"") { return validator == etag }
        return !validator.hasPrefix("W/") && validator == lastModified
    }
}
