import WhirlSession

/// A line of a plain list: a URL, perhaps followed by other URLs of the same bytes, `out=PATH`, `size=N` and digests such
/// as `sha256=HEX`.
enum PlainLine {
    private static let rest = "a URL may be followed by out=PATH, sha256=HEX, size=N and mirrors"

    /// The request that the words ask for.
    static func request(_ words: [ArraySlice<UInt8>]) throws(CommandError) -> TransferRequest {
        var request = TransferRequest("")
        for (number, word) in words.enumerated() {
            let word = try text(word)
            if number == 0 {
                guard !word.hasPrefix("<!"), !word.hasPrefix("<?"), word.lowercased() != "<html>" else {
                    throw CommandError("is a page, not a list; look what has been saved there")
                }
                request.url = word
            } else if isURL(word) {
                request.mirrors.append(word)
            } else {
                try set(word, &request)
            }
        }
        return request
    }

    /// A word as text.
    static func text(_ bytes: ArraySlice<UInt8>) throws(CommandError) -> String {
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw CommandError("not UTF-8; save the file as UTF-8")
        }
        guard !bytes.contains(0) else { throw CommandError("contains a NUL; save the file as UTF-8 text") }
        return text
    }

    /// A URL has `://` before any `=`.
    private static func isURL(_ word: String) -> Bool {
        guard let colon = word.utf8.firstIndex(of: 0x3A) else { return false }
        return word.utf8[colon...].starts(with: "://".utf8) && !word.utf8[..<colon].contains(0x3D)
    }

    private static func set(_ word: String, _ request: inout TransferRequest) throws(CommandError) {
        let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2 else { throw CommandError("\(quoted(word)) stands after the URL; \(rest)") }
        let value = parts[1]
        switch parts[0] {
        case "out": try name(value, &request)
        case "size":
            guard request.size == nil else { throw CommandError("size= stands twice; leave one out") }
            guard let size = ByteCount.whole(value) else {
                throw CommandError("size=\(quoted(String(value))) is not a number of bytes, such as 1048576")
            }
            request.size = Int64(size)
        default:
            guard let algorithm = Checksum.algorithm(parts[0]) else {
                throw CommandError("\(quoted(String(parts[0]))) is not known; \(rest)")
            }
            guard request.digests[algorithm] == nil else {
                throw CommandError("\(algorithm.rawValue)= stands twice; leave one out")
            }
            request.digests[algorithm] = try Checksum(algorithm, value).digest
        }
    }

    private static func name(_ path: Substring, _ request: inout TransferRequest) throws(CommandError) {
        guard request.destination == .suggested else { throw CommandError("out= stands twice; leave one out") }
        guard !path.isEmpty else { throw CommandError("out= names no path; write one behind it, or leave it out") }
        guard path != "-" else { throw CommandError("out=- is not for a list; use -o - with one URL") }
        do {
            request.destination = .path(try ValueKind.path(String(path)))
        } catch {
            throw CommandError("out=: \(error.message)")
        }
    }
}
