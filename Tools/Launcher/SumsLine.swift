import WhirlSession

/// A line of a list of digests, as `sha256sum` and its like write it: `HEX  NAME`, `HEX *NAME`, `SHA256 (NAME) = HEX`;
/// after a `\` at the beginning `\\`, `\n` and `\r` in the name stand for what a line can't have.
struct SumsLine: Equatable {
    let checksum: Checksum
    /// A relative path without `.`, `..` and empty segments.
    let name: String

    /// Reads a line without its end.
    init(_ line: ArraySlice<UInt8>) throws(CommandError) {
        var line = line
        if line.last == 0x0D { line = line.dropLast() }
        let isEscaped = line.first == UInt8(ascii: "\\")
        if isEscaped { line = line.dropFirst() }
        let (algorithm, digits, name) = try Self.halves(line)
        checksum = try Checksum(algorithm, String(decoding: digits, as: UTF8.self))
        self.name = try Self.path(isEscaped ? Self.unescaped(name) : Array(name))
    }

    /// Whether a list that begins with that line is one of digests.
    static func looksLikeOne(_ line: ArraySlice<UInt8>) -> Bool {
        if line.starts(with: SignedText.beginning.utf8) { return true }
        let line = line.first == UInt8(ascii: "\\") ? line.dropFirst() : line
        return plain(line) != nil || tagged(line) != nil
    }

    private typealias Halves = (DigestAlgorithm, digits: ArraySlice<UInt8>, name: ArraySlice<UInt8>)

    private static func halves(_ line: ArraySlice<UInt8>) throws(CommandError) -> Halves {
        if let halves = plain(line) ?? tagged(line) { return halves }
        let known = DigestAlgorithm.allCases.map { $0.rawValue.uppercased() }.joined(separator: ", ")
        throw CommandError("is neither 'DIGEST  NAME' nor 'SHA256 (NAME) = DIGEST'; digests are those of \(known)")
    }

    /// `HEX  NAME`: how many digits there are says of what kind the digest is.
    private static func plain(_ line: ArraySlice<UInt8>) -> Halves? {
        let digits = line.prefix { ($0 | 0x20).isHexadecimalLetter || $0.isDigit }
        guard let algorithm = DigestAlgorithm.allCases.first(where: { $0.digits == digits.count }) else { return nil }
        let rest = line[digits.endIndex...]
        guard rest.first == 0x20 || rest.first == 0x09 else { return nil }
        let name = rest.dropFirst()
        let hasMark = name.first == 0x20 || name.first == UInt8(ascii: "*")
        return (algorithm, digits, hasMark ? name.dropFirst() : name)
    }

    /// `SHA256 (NAME) = HEX`, as BSD, and OpenSSL without the blanks, write it.
    private static func tagged(_ line: ArraySlice<UInt8>) -> Halves? {
        guard let opening = line.firstIndex(of: UInt8(ascii: "(")), let closing = line.lastIndex(of: UInt8(ascii: ")")),
            opening < closing, let equals = line[closing...].firstIndex(of: UInt8(ascii: "="))
        else { return nil }
        let word = String(decoding: line[..<opening], as: UTF8.self).split(separator: " ")
        let between = line[line.index(after: closing)..<equals]
        guard word.count == 1, between.allSatisfy({ $0 == 0x20 }) else { return nil }
        let tag = word[0].hasPrefix("SHA2-") ? "SHA" + word[0].dropFirst(5) : String(word[0])
        guard let algorithm = Checksum.algorithm(tag) else { return nil }
        let digits = line[line.index(after: equals)...].drop { $0 == 0x20 }
        return (algorithm, digits, line[line.index(after: opening)..<closing])
    }

    private static func unescaped(_ name: ArraySlice<UInt8>) throws(CommandError) -> [UInt8] {
        var bytes: [UInt8] = []
        var rest = name
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "\\") else {
                bytes.append(byte)
                continue
            }
            switch rest.popFirst() {
            case UInt8(ascii: "\\"): bytes.append(UInt8(ascii: "\\"))
            case UInt8(ascii: "n"): bytes.append(0x0A)
            case UInt8(ascii: "r"): bytes.append(0x0D)
            default: throw CommandError("the name has a \\ that stands for nothing; write it as \\\\")
            }
        }
        return bytes
    }

    /// Such lists come from servers: a name must not lead out of the folder.
    private static func path(_ name: [UInt8]) throws(CommandError) -> String {
        let text = try PlainLine.text(name[...])
        guard !text.isEmpty else { throw CommandError("names no file; write 'DIGEST  NAME'") }
        guard text != "-" else {
            throw CommandError("has the digest of a standard input, not of a file; take the line out")
        }
        guard !text.unicodeScalars.contains(where: { $0.value < 0x20 || $0.value == 0x7F }) else {
            throw CommandError("\(quoted(text)) has a control character; take the line out")
        }
        let segments = text.split(separator: "/").filter { $0 != "." }
        guard !text.hasPrefix("/"), !segments.contains(".."), !segments.isEmpty, !text.hasSuffix("/") else {
            throw CommandError("\(quoted(text)) leads out of the folder, or names no file; take the line out")
        }
        return segments.joined(separator: "/")
    }
}

extension UInt8 {
    fileprivate var isDigit: Bool { (0x30...0x39).contains(self) }
    /// Of a letter in lower case.
    fileprivate var isHexadecimalLetter: Bool { (0x61...0x66).contains(self) }
}
