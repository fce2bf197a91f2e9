import WhirlCore
import WhirlSession

/// An entry of an input file for aria2: URLs of the same bytes, and the indented options below them.
///
/// Options that say what to fetch and where it goes are honoured. Those that only say how aria2 goes about it are passed
/// over with a warning, and those without which something else would be fetched, or on another way, are errors.
struct Aria2Entry: Sendable {
    /// The line of its URL.
    let line: Int
    private var request: TransferRequest
    private var folder: String?
    private var user: String?
    private var password: String?
    private var seen: Set<String> = []

    /// An entry without options yet.
    init(_ request: TransferRequest, line: Int) {
        self.request = request
        self.line = line
    }

    /// The request with all options.
    var finished: TransferRequest {
        var request = request
        if let folder {
            switch request.destination {
            case .path(let path): request.destination = .path("\(folder)/\(path)")
            default:
                let literal = folder.split(separator: "{", omittingEmptySubsequences: false).joined(separator: "{{")
                request.destination = .template(literal + "/{name}")
            }
        }
        if let user { request.fields.append(Credentials.basic("\(user):\(password ?? "")")) }
        return request
    }

    /// Takes `NAME=VALUE`; gives what people should know of it, if anything.
    mutating func set(_ text: String) throws(CommandError) -> Sentence? {
        let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2 else {
            throw CommandError("begins with a blank, so it should be an option of the URL above it; write NAME=VALUE")
        }
        let (name, value) = (String(parts[0]), String(parts[1]))
        guard let option = Aria2Option(rawValue: name) else { return try Self.pass(name, value) }
        guard !value.isEmpty else { throw CommandError("\(name)= has no value; write one behind it, or leave it out") }
        guard option == .header || seen.insert(name).inserted else {
            throw CommandError("\(name)= stands twice; leave one out")
        }
        do {
            try set(option, value)
        } catch {
            throw CommandError("\(name)=: \(error.message)")
        }
        return nil
    }

    private mutating func set(_ option: Aria2Option, _ value: String) throws(CommandError) {
        switch option {
        case .out:
            guard request.destination == .suggested else {
                throw CommandError("the URL above it has a name already; leave one out")
            }
            request.destination = .path(try ValueKind.path(value))
        case .folder: folder = try ValueKind.path(value)
        case .checksum:
            let parts = value.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2, let algorithm = Checksum.algorithm(parts[0]) else {
                throw CommandError("\(quoted(value)) is not a checksum; write it as sha-256=HEX")
            }
            request.digests[algorithm] = try Checksum(algorithm, parts[1]).digest
        case .header: request.fields.append(try HeaderLine.parse(value))
        case .userAgent: request.fields.append(try HeaderLine.field("User-Agent", value))
        case .referer: request.fields.append(try HeaderLine.field("Referer", value))
        case .user: user = try Self.credential(value)
        case .password: password = try Self.credential(value)
        }
    }

    /// Never quoted.
    private static func credential(_ text: String) throws(CommandError) -> String {
        guard case .text(let text) = try ValueKind.credentials.parse("x" + text) else { return text }
        return String(text.dropFirst())
    }

    private static func pass(_ name: String, _ value: String) throws(CommandError) -> Sentence? {
        if let reason = Aria2Option.refused[name] {
            guard value != "false" else { return nil }
            throw CommandError("\(quoted(name)) of aria2 is not for Whirl's lists; \(reason)")
        }
        if let hint = Aria2Option.others[name] {
            return "\(quoted(name)) of aria2 has no meaning here and is passed over\(hint)"
        }
        let known = Aria2Option.allCases.map(\.rawValue) + Aria2Option.refused.keys + Aria2Option.others.keys
        let hint = Suggestion.phrase(for: name, among: known.sorted(), otherwise: "; leave it out")
        throw CommandError("\(quoted(name)) is not an option of aria2 that Whirl knows\(hint)")
    }
}
