import WhirlCore

/// A header field as it is typed: `NAME: VALUE`.
enum HeaderLine {
    /// Fields that the session sets itself: another value would make a continued file wrong.
    private static let reserved = [
        "accept-encoding", "connection", "content-length", "if-range", "range", "transfer-encoding",
    ]

    /// The field; errors never quote the value.
    static func parse(_ line: String) throws(CommandError) -> HTTPField {
        guard let colon = line.utf8.firstIndex(of: 0x3A) else {
            throw CommandError("there is no colon; write it as 'Name: value'")
        }
        let name = String(line[..<colon])
        guard isName(name) else {
            throw CommandError(
                "before the colon there must be a header's name without blanks; write it as 'Name: value'")
        }
        return try field(name, String(line[line.utf8.index(after: colon)...]))
    }

    /// Whether it can be the name of a field.
    static func isName(_ name: String) -> Bool { !name.isEmpty && name.utf8.allSatisfy(isTokenByte) }

    /// The field of that name, which is one, and value; errors never quote the value.
    static func field(_ name: String, _ value: String) throws(CommandError) -> HTTPField {
        guard !reserved.contains(name.lowercased()) else {
            throw CommandError("\(name) is set by whirl itself; leave it out")
        }
        guard value.utf8.allSatisfy({ $0 == 0x09 || ($0 >= 0x20 && $0 != 0x7F) }) else {
            throw CommandError("the value of \(name) contains a line end or another control character; leave it out")
        }
        return HTTPField(name, String(trimmed(value[...])))
    }

    private static func trimmed(_ text: Substring) -> Substring {
        var text = text
        while text.first == " " || text.first == "\t" { text.removeFirst() }
        while text.last == " " || text.last == "\t" { text.removeLast() }
        return text
    }

    /// RFC 9110, section 5.6.2.
    private static func isTokenByte(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
        default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
        }
    }
}
