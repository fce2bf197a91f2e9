import FoundationEssentials
import WhirlCore

/// The URL of a request, checked and taken apart once.
final class SourceURL: Sendable {
    /// What goes to the transport: no userinfo, no fragment.
    let exchange: String
    /// Scheme, host and port: credentials go no further.
    var origin: String { "\(isSecure ? "https" : "http")://\(host):\(port ?? (isSecure ? 443 : 80))" }
    let host: String
    let isSecure: Bool
    /// `user:password`, percent-decoded; nil when the URL has none.
    let credentials: String?
    /// The last segment of the path, still percent-encoded; empty when the path ends in `/`.
    var lastSegment: Substring { path[path.nameStart...] }
    /// The segments of the path before the last, still percent-encoded, without empty ones.
    var folders: [Substring] { path.lastSlash.map { path[..<$0].split(separator: "/") } ?? [] }

    /// Nil: that of the scheme.
    let port: Int?
    /// Percent-encoded.
    let path: Substring

    /// Throws `usage` for anything but an absolute `http` or `https` URL with a host.
    convenience init(_ text: String) throws(TransferError) {
        if let plain = PlainURL(text) {
            self.init(plain)
        } else {
            try self.init(parsing: text)
        }
    }

    private init(_ plain: PlainURL) {
        (exchange, host, isSecure, port, path) = (plain.text, plain.host, plain.isSecure, plain.port, plain.path)
        credentials = nil
    }

    /// The long way, for any URL.
    convenience init(parsing text: String) throws(TransferError) {
        guard let first = text.first else {
            throw TransferError(.usage, "the URL is empty; write it as https://HOST/PATH")
        }
        if "\"'<".contains(first), text.dropFirst().hasPrefix("http") {
            throw TransferError(.usage, "\(Redaction.url(text)) is not a URL; leave out what stands around it")
        }
        guard !text.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F }), let url = URL(string: text) else {
            throw TransferError(.usage, "\(Redaction.url(text)) is not a URL; write it as https://HOST/PATH")
        }
        try self.init(url, text)
    }

    private init(_ url: URL, _ text: String) throws(TransferError) {
        let scheme = url.scheme?.lowercased()
        guard scheme == "http" || scheme == "https" else { throw Self.schemeError(text, scheme) }
        guard let host = url.host(percentEncoded: true)?.lowercased(), !host.isEmpty else {
            throw Self.hostError(text, scheme ?? "")
        }
        if let port = url.port, !(1...65535).contains(port) {
            throw TransferError(.usage, "\(Redaction.url(text)) names port \(port); ports go from 1 to 65535")
        }
        self.host = host
        isSecure = scheme == "https"
        credentials = Self.credentials(of: url)
        exchange = Self.exchange(of: url)
        port = url.port
        path = url.path(percentEncoded: true)[...]
    }

    /// The URL that a `Location` names (RFC 3986, section 5; RFC 9110, section 10.2.2).
    func resolve(_ location: String) throws(TransferError) -> SourceURL {
        guard !location.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F }),
            let base = URL(string: exchange), let target = URL(string: location, relativeTo: base)
        else {
            throw TransferError(.redirect, "the server redirects to \(Redaction.url(location)), which is not a URL")
        }
        let absolute = target.absoluteURL
        do {
            return try SourceURL(absolute, absolute.absoluteString)
        } catch {
            throw TransferError(
                .redirect,
                "the server redirects to \(Redaction.url(absolute.absoluteString)); only http and https are followed")
        }
    }

    private static func schemeError(_ text: String, _ scheme: String?) -> TransferError {
        let shown = Redaction.url(text)
        if let scheme, text.contains("://") {
            return TransferError(.usage, "\(shown) has the scheme \(scheme); only http and https are fetched")
        }
        if isPath(text) {
            return TransferError(.usage, "\(shown) is the path of a file, not a URL; a list of URLs goes to --input")
        }
        let behind = scheme.map { shown.dropFirst($0.utf8.count + 1) }?.first
        if let scheme, shown == text, let behind, !behind.isNumber, !behind.isWhitespace {
            return TransferError(.usage, "\(shown) has the scheme \(scheme); only http and https are fetched")
        }
        let rest = shown.drop { $0 == "/" }
        guard beginsLikeHost(rest) else {
            return TransferError(.usage, "\(shown) is not a URL; write it as https://HOST/PATH")
        }
        return TransferError(.usage, "\(shown) has no scheme; did you mean https://\(rest)?")
    }

    private static func hostError(_ text: String, _ scheme: String) -> TransferError {
        let shown = Redaction.url(text)
        let rest = shown.dropFirst(scheme.count + 1).drop { $0 == "/" }
        let hint = beginsLikeHost(rest) ? "did you mean \(scheme)://\(rest)?" : "write it as \(scheme)://HOST/PATH"
        return TransferError(.usage, "\(shown) names no host; \(hint)")
    }

    private static func isPath(_ text: String) -> Bool {
        if text.hasPrefix("/") { return !text.hasPrefix("//") }
        return ["./", "../", "~/"].contains { text.hasPrefix($0) }
    }

    private static func beginsLikeHost(_ text: Substring) -> Bool {
        text.first.map { $0.isLetter || $0.isNumber || $0 == "[" } ?? false
    }

    private static func credentials(of url: URL) -> String? {
        guard let user = url.user(percentEncoded: false) else { return nil }
        return "\(user):\(url.password(percentEncoded: false) ?? "")"
    }

    private static func exchange(of url: URL) -> String {
        let text = url.absoluteString
        guard text.utf8.contains(where: { $0 == 0x23 || $0 == 0x40 }),
            var parts = URLComponents(url: url, resolvingAgainstBaseURL: true)
        else { return text }
        parts.user = nil
        parts.password = nil
        parts.fragment = nil
        return parts.string ?? text
    }
}
