/// The status and header fields of a final response.
public struct ResponseHead: Sendable {
    /// The protocol's version.
    public enum Version: String, Sendable {
        case http10 = "1.0", http11 = "1.1", http2 = "2", http3 = "3"
        case unknown
    }

    /// From 200 to 999.
    public let status: Int
    /// As far as the transport can tell.
    public let version: Version
    /// Field lines as received, without the status line and the empty line: one array, so that a head costs one
    /// allocation however many fields nobody asks for.
    private let block: [UInt8]
    /// Where each of them is: found once, as several fields are asked for.
    private let lines: [Line]

    private struct Line {
        let start: Int
        let colon: Int
        let end: Int
    }

    /// A head from its raw field lines, each ended by LF or CR LF.
    ///
    /// Lines without a colon, and those without a name before it, are passed over.
    public init(status: Int, version: Version = .unknown, block: [UInt8]) {
        self.status = status
        self.version = version
        self.block = block
        lines = Self.lines(in: block)
    }

    /// A head from fields.
    public init(status: Int, version: Version = .unknown, fields: [HTTPField]) {
        self.init(
            status: status, version: version, block: fields.flatMap { Array("\($0.name): \($0.value)\r\n".utf8) })
    }

    /// The value of the first field of that name, whatever its case; nil when there is none.
    public subscript(name: StaticString) -> String? {
        for line in lines where isNamed(name, line) { return value(line) }
        return nil
    }

    /// All values of that name, in order.
    public func values(_ name: StaticString) -> [String] {
        var found: [String] = []
        for line in lines where isNamed(name, line) { found.append(value(line)) }
        return found
    }

    /// Every field, in order.
    public var fields: [HTTPField] {
        lines.map { HTTPField(String(decoding: block[$0.start..<$0.colon], as: UTF8.self), value($0)) }
    }

    private static func lines(in block: [UInt8]) -> [Line] {
        var lines: [Line] = []
        lines.reserveCapacity(12)
        let bytes = block.span
        var start = 0
        while start < bytes.count {
            var colon = start
            while colon < bytes.count, bytes[colon] != 0x3A, bytes[colon] != 0x0A { colon += 1 }
            var end = colon
            while end < bytes.count, bytes[end] != 0x0A { end += 1 }
            if colon > start, colon < end { lines.append(Line(start: start, colon: colon, end: end)) }
            start = end + 1
        }
        return lines
    }

    private func isNamed(_ name: StaticString, _ line: Line) -> Bool {
        guard line.colon - line.start == name.utf8CodeUnitCount else { return false }
        return name.withUTF8Buffer { name in
            for index in 0..<name.count where unsafe Self.lower(name[index]) != Self.lower(block[line.start + index]) {
                return false
            }
            return true
        }
    }

    private static func lower(_ byte: UInt8) -> UInt8 { (0x41...0x5A).contains(byte) ? byte | 0x20 : byte }

    private func value(_ line: Line) -> String {
        func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0D }
        var (start, end) = (line.colon + 1, line.end)
        while start < end, isBlank(block[start]) { start += 1 }
        while end > start, isBlank(block[end - 1]) { end -= 1 }
        return String(decoding: block[start..<end], as: UTF8.self)
    }
}
