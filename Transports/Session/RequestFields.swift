import FoundationEssentials
import WhirlCore

/// The header fields of one exchange.
enum RequestFields {
    /// The session's, those of the request, and those that ask to continue at `point`, or for another file than `marks`.
    ///
    /// Credentials in fields go to the origin of the request's `own` URL only; those of the URL that led to `target`, its
    /// own or that of a mirror, to the origin of that one.
    static func of(
        _ request: TransferRequest, _ own: SourceURL, from origin: SourceURL, at target: SourceURL,
        continuing point: ResumePoint?, unlike marks: FileMarks?, _ configuration: SessionConfiguration,
        common: [HTTPField]
    ) -> [HTTPField] {
        if request.fields.isEmpty, point == nil, marks == nil, target === own, own.credentials == nil {
            return common
        }
        var given = configuration.fields.filter { !has(request.fields, $0.name.lowercased()) } + request.fields
        if target !== own, target.origin != own.origin { given.removeAll { isCredential($0.name) } }
        if let credentials = origin.credentials, target === origin || target.origin == origin.origin,
            !has(given, "authorization")
        {
            let encoded = Data(credentials.utf8).base64EncodedString()
            given.append(HTTPField("Authorization", "Basic \(encoded)"))
        }
        var fields = all(given, configuration)
        if let point {
            fields.append(HTTPField("Range", "bytes=\(point.offset)-"))
            if let validator = point.validator { fields.append(HTTPField("If-Range", validator.text)) }
        }
        if let etag = marks?.etag {
            fields.append(HTTPField("If-None-Match", etag))
        } else if let modified = marks?.modified {
            fields.append(HTTPField("If-Modified-Since", modified))
        }
        return fields
    }

    /// Those of a request that has none of its own and starts from nothing.
    static func common(_ configuration: SessionConfiguration) -> [HTTPField] {
        all(configuration.fields, configuration)
    }

    private static func all(_ given: [HTTPField], _ configuration: SessionConfiguration) -> [HTTPField] {
        var fields = [
            HTTPField("User-Agent", "whirl/\(configuration.version)"), HTTPField("Accept", "*/*"),
        ].filter { !has(given, $0.name.lowercased()) }
        // What is asked for is what is stored: an encoded body would have another length and no ranges.
        fields.append(HTTPField("Accept-Encoding", "identity"))
        return fields + given.filter { !isOurs($0.name) }
    }

    /// Throws `usage` for a field that would break the request or the checks.
    static func check(_ field: HTTPField) throws(TransferError) {
        let isToken = !field.name.isEmpty && field.name.utf8.allSatisfy { tokenBytes.contains($0) }
        guard isToken else {
            throw TransferError(
                .usage, "'\(field.name)' is no name for a header; a name has letters, digits and hyphens only")
        }
        guard !field.value.utf8.contains(where: { $0 == 0x0D || $0 == 0x0A || $0 == 0 }) else {
            throw TransferError(
                .usage, "the value of the header \(field.name) has a line break in it; write it on one line")
        }
        guard !isOurs(field.name) else {
            throw TransferError(.usage, "the header \(field.name) is set by whirl itself; leave it out")
        }
    }

    /// RFC 9110, section 5.6.2.
    private static let tokenBytes = Set(
        "!#$%&'*+-.^_`|~0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz".utf8)

    private static func has(_ fields: [HTTPField], _ name: String) -> Bool {
        fields.contains { $0.name.lowercased() == name }
    }

    private static func isCredential(_ name: String) -> Bool {
        ["authorization", "cookie", "proxy-authorization"].contains(name.lowercased())
    }

    private static func isOurs(_ name: String) -> Bool {
        ["accept-encoding", "range", "if-range"].contains(name.lowercased())
    }
}
