import WhirlCore
import WhirlSession

/// One JSON object of a manifest: what to transfer.
///
/// `{"url":"…","destination":"cc.bin","digests":{"sha256":"…"},"headers":{"Accept":"…"},"size":N}`. Only `url` has to be
/// there, or `urls`: an array of URLs of the same bytes, tried in order. `null` is the same as nothing. A field that is not
/// known is an error: a misspelt one would be lost in silence.
struct ManifestRecord: Sendable {
    /// The names there are.
    enum Field: String, CaseIterable {
        case url, urls, destination, digests, headers, size
    }

    private(set) var request: TransferRequest

    /// Reads a line of a manifest.
    init(_ bytes: ArraySlice<UInt8>) throws(CommandError) {
        try self.init(try JSONValue(bytes))
    }

    /// Takes an object's fields, but for those that are somebody `else`'s.
    ///
    /// The sentence of an error names the field, and quotes no header's value.
    init(_ value: JSONValue, besides others: [String] = []) throws(CommandError) {
        guard case .object(let members) = value else {
            throw CommandError("is \(value.kind); it must be an object, such as {\"url\": \"https://example.org/a\"}")
        }
        request = TransferRequest("")
        for member in members where !others.contains(member.name) {
            guard let field = Field(rawValue: member.name) else { throw Self.unknown(member.name, others) }
            if member.value == .null { continue }
            try take(member.value, for: field)
        }
        guard !request.url.isEmpty else { throw CommandError("has no url; write {\"url\": \"https://example.org/a\"}") }
    }

    private static func unknown(_ name: String, _ others: [String]) -> CommandError {
        let known = Field.allCases.map(\.rawValue)
        let hint = Suggestion.phrase(for: name, among: known + others)
        return CommandError("\(quoted(name)) is not a field; there is \(known.joined(separator: ", "))\(hint)")
    }

    private mutating func take(_ value: JSONValue, for field: Field) throws(CommandError) {
        switch field {
        case .url, .urls: try addURLs(value, field)
        case .destination: request.destination = try Self.destination(value)
        case .digests:
            for member in try Self.members(value, "digests") { try addDigest(member) }
        case .headers:
            for member in try Self.members(value, "headers") { try addHeader(member) }
        case .size:
            guard let size = value.count else {
                throw CommandError(
                    "size must be a whole number of bytes, not \(value.kind == "a number" ? "that" : value.kind)")
            }
            request.size = size
        }
    }

    private mutating func addURLs(_ value: JSONValue, _ field: Field) throws(CommandError) {
        guard request.url.isEmpty else { throw CommandError("has url and urls; leave one out") }
        if field == .url {
            request.url = try Self.text(value, "url")
        } else if case .array(let items) = value, !items.isEmpty {
            var urls: [String] = []
            for item in items {
                guard case .string(let url) = item else {
                    throw CommandError("urls must be an array of strings; in it is \(item.kind)")
                }
                urls.append(url)
            }
            request.url = urls.removeFirst()
            request.mirrors = urls
        } else {
            throw CommandError(
                "urls must be an array of strings, not \(value.kind == "an array" ? "an empty one" : value.kind)")
        }
        guard !request.url.isEmpty, !request.mirrors.contains("") else {
            throw CommandError("\(field.rawValue) is empty; put a URL into it")
        }
    }

    private static func destination(_ value: JSONValue) throws(CommandError) -> TransferRequest.Destination {
        let path = try text(value, "destination")
        guard path != "-" else { throw CommandError("destination: - is not for a manifest; use -o - with one URL") }
        do {
            return .path(try ValueKind.path(path))
        } catch {
            throw CommandError("destination: \(error.message)")
        }
    }

    private mutating func addDigest(_ member: JSONValue.Member) throws(CommandError) {
        guard let algorithm = Checksum.algorithm(member.name) else {
            let known = DigestAlgorithm.allCases.map(\.rawValue).joined(separator: ", ")
            throw CommandError("digests: \(quoted(member.name)) is not a checksum; there is \(known)")
        }
        guard request.digests[algorithm] == nil else {
            throw CommandError("digests: \(algorithm.rawValue) stands twice; leave one out")
        }
        do {
            request.digests[algorithm] =
                try Checksum(algorithm, try Self.text(member.value, algorithm.rawValue)).digest
        } catch {
            throw CommandError("digests: \(error.message)")
        }
    }

    private mutating func addHeader(_ member: JSONValue.Member) throws(CommandError) {
        // Not quoted: somebody may have put a whole line there, with a secret in it.
        guard HeaderLine.isName(member.name) else {
            throw CommandError("headers: there is a name that can't be a header's; write {\"Accept\": \"text/csv\"}")
        }
        do {
            request.fields.append(try HeaderLine.field(member.name, try Self.text(member.value, member.name)))
        } catch {
            throw CommandError("headers: \(error.message)")
        }
    }

    private static func members(_ value: JSONValue, _ name: String) throws(CommandError) -> [JSONValue.Member] {
        guard case .object(let members) = value else {
            throw CommandError("\(name) must be an object, not \(value.kind)")
        }
        return members
    }

    private static func text(_ value: JSONValue, _ name: String) throws(CommandError) -> String {
        guard case .string(let text) = value else {
            throw CommandError("\(quoted(name)) must be a string, not \(value.kind)")
        }
        return text
    }
}
