import WhirlSession

/// A request of a list and the line it stands in.
struct ListedRequest: Sendable {
    let request: TransferRequest
    let line: Int
}

/// Takes the bytes of a list as they come and gives its requests.
///
/// A line is a URL, perhaps followed by white space and `out=PATH`, `size=N` and digests such as `sha256=HEX`. Empty
/// lines and lines that begin with `#` are passed over. At most one line is held.
struct ListReader {
    /// What a line has to say.
    enum Item: Sendable {
        case request(ListedRequest)
        /// The line is wrong; the next may be right.
        case wrong(CommandError, url: String)
    }

    /// The longest line in bytes.
    static let longest = 64 << 10

    private let name: String
    private var rest: [UInt8] = []
    private var start = 0
    private var line = 0
    private var isSkipping = false

    /// A reader of the list that errors call `name`.
    init(name: String) { self.name = name }

    /// Adds bytes; none mean the end.
    mutating func append(_ bytes: [UInt8]) {
        rest.removeFirst(start)
        start = 0
        rest += bytes
        if bytes.isEmpty, rest.last != 0x0A { rest.append(0x0A) }
    }

    /// The next item; nil when there is none until more bytes come.
    mutating func next() -> Item? {
        while let end = rest[start...].firstIndex(of: 0x0A) {
            let bytes = rest[start..<end]
            start = end + 1
            line += 1
            if isSkipping {
                isSkipping = false
            } else if bytes.count > Self.longest {
                return .wrong(tooLong, url: "")
            } else if let item = item(line == 1 && bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes.dropFirst(3) : bytes)
            {
                return item
            }
        }
        guard rest.count - start > Self.longest else { return nil }
        start = rest.count
        guard !isSkipping else { return nil }
        isSkipping = true
        return .wrong(tooLong, url: "")
    }

    private var tooLong: CommandError {
        CommandError("\(name):\(isSkipping ? line + 1 : line): longer than \(Self.longest >> 10) KiB")
    }

    private func item(_ bytes: ArraySlice<UInt8>) -> Item? {
        let words = bytes.split { $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }
        guard let first = words.first, first.first != 0x23 else { return nil }
        do {
            var request = TransferRequest(try text(first))
            for word in words.dropFirst() { try set(text(word), &request) }
            return .request(ListedRequest(request: request, line: line))
        } catch {
            return .wrong(error, url: String(decoding: first, as: UTF8.self))
        }
    }

    private func set(_ word: String, _ request: inout TransferRequest) throws(CommandError) {
        let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2 else {
            throw error(
                "\(quoted(word)) stands after the URL; there may be out=PATH, without blanks, sha256=HEX and size=N")
        }
        let value = parts[1]
        switch parts[0] {
        case "out": try name(value, &request)
        case "size":
            guard request.size == nil else { throw error("size= stands twice") }
            guard let size = ByteCount.whole(value) else {
                throw error("size=\(quoted(String(value))) is not a number of bytes")
            }
            request.size = Int64(size)
        default:
            guard let algorithm = Checksum.algorithm(parts[0]) else {
                throw error(
                    "\(quoted(String(parts[0]))) is not known; a URL may be followed by out=PATH, sha256=HEX and size=N"
                )
            }
            guard request.digests[algorithm] == nil else { throw error("\(algorithm.rawValue)= stands twice") }
            do {
                request.digests[algorithm] = try Checksum(algorithm, value).digest
            } catch {
                throw self.error(error.message)
            }
        }
    }

    private func name(_ path: Substring, _ request: inout TransferRequest) throws(CommandError) {
        guard request.destination == .suggested else { throw error("out= stands twice") }
        guard !path.isEmpty else { throw error("out= names no path") }
        guard path != "-" else { throw error("out=- is not for a list; use -o - with one URL") }
        do {
            request.destination = .path(try ValueKind.path(String(path)))
        } catch {
            throw self.error("out=: \(error.message)")
        }
    }

    private func text(_ bytes: ArraySlice<UInt8>) throws(CommandError) -> String {
        guard let text = String(validating: bytes, as: UTF8.self) else { throw error("not UTF-8") }
        guard !bytes.contains(0) else { throw error("contains a NUL") }
        return text
    }

    private func error(_ message: Sentence) -> CommandError { CommandError("\(name):\(line): \(message)") }
}
