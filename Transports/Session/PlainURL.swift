/// A URL of the usual kind, taken apart in one pass: a list may have millions of them.
///
/// Scheme and host in lower case, no userinfo, no fragment, a path, and only characters that RFC 3986 allows where they
/// are. Whatever is any other way is for the library that knows all of RFC 3986.
struct PlainURL {
    let text: String
    let host: String
    let isSecure: Bool
    /// Nil: that of the scheme.
    let port: Int?
    /// Percent-encoded, from its first slash.
    let path: Substring

    /// Nil for a URL of another kind.
    init?(_ text: String) {
        let bytes = text.utf8.span
        isSecure = Self.begins("https://", bytes)
        guard isSecure || Self.begins("http://", bytes) else { return nil }
        let hostStart = isSecure ? 8 : 7
        var position = hostStart
        while position < bytes.count, Self.isHost(bytes[position]) { position += 1 }
        let hostEnd = position
        var port: Int?
        if position < bytes.count, bytes[position] == 0x3A {
            guard let (number, end) = Self.port(bytes, from: position + 1) else { return nil }
            (port, position) = (number, end)
        }
        let pathStart = position
        guard hostEnd > hostStart, position < bytes.count, bytes[position] == 0x2F else { return nil }
        guard let pathEnd = Self.end(of: bytes, from: pathStart, isQuery: false) else { return nil }
        guard pathEnd == bytes.count || Self.end(of: bytes, from: pathEnd, isQuery: true) == bytes.count else {
            return nil
        }
        let indices = text.utf8
        let start = indices.startIndex
        let pathIndex = indices.index(start, offsetBy: pathStart)
        self.text = text
        self.port = port
        host = String(text[indices.index(start, offsetBy: hostStart)..<indices.index(start, offsetBy: hostEnd)])
        path = text[pathIndex..<indices.index(start, offsetBy: pathEnd)]
    }

    private static func begins(_ prefix: StaticString, _ bytes: borrowing Span<UInt8>) -> Bool {
        guard bytes.count > prefix.utf8CodeUnitCount else { return false }
        for index in 0..<prefix.utf8CodeUnitCount where unsafe bytes[index] != prefix.utf8Start[index] { return false }
        return true
    }

    /// The port and where it ends; nil for one that needs a sentence.
    private static func port(_ bytes: borrowing Span<UInt8>, from start: Int) -> (Int, end: Int)? {
        var position = start
        var number = 0
        while position < bytes.count, position < start + 5, (0x30...0x39).contains(bytes[position]) {
            number = number * 10 + Int(bytes[position] - 0x30)
            position += 1
        }
        return (1...65535).contains(number) ? (number, position) : nil
    }

    /// Where a path or a query ends; nil when there is a character in it that may not be.
    private static func end(of bytes: borrowing Span<UInt8>, from start: Int, isQuery: Bool) -> Int? {
        var position = start
        while position < bytes.count {
            switch bytes[position] {
            case 0x25:
                guard position + 2 < bytes.count, isDigit(bytes[position + 1]), isDigit(bytes[position + 2]) else {
                    return nil
                }
                position += 2
            case 0x3F:
                if !isQuery { return position }
            // `pchar` and the slash (RFC 3986, section 3.3), but for `@`, which may be mistaken for the end of userinfo.
            case 0x61...0x7A, 0x41...0x5A, 0x30...0x39, 0x24...0x2F, 0x21, 0x3A, 0x3B, 0x3D, 0x5F, 0x7E: break
            default: return nil
            }
            position += 1
        }
        return position
    }

    private static func isHost(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x61...0x7A, 0x30...0x39, 0x2D, 0x2E: true
        default: false
        }
    }

    /// Of a hexadecimal number.
    private static func isDigit(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x46, 0x61...0x66: true
        default: false
        }
    }
}
