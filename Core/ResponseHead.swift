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

    /// A head from its raw field lines, each ended by LF or CR LF.
    ///
    /// Lines without a colon, and those without a name before it, are passed over.
    public init(status: Int, version: Version = .unknown, block: [UInt8]) {
        self.status = status
        self.version = version
        self.block = block
    }

    /// A head from fields.
    public init(status: Int, version: Version = .unknown, fields: [HTTPField]) {
        self.init(
            status: status, version: version, block: fields.flatMap { Array("\($0.name): \($0.value)\r\n".utf8) })
    }

    /// The value of the first field of that name, whatever its case; nil when there is none.
    public subscript(name: StaticString) -> String? {
        var found: String?
        visit { line, colon in
            guard line.startIndex + name.utf8CodeUnitCount == colon, Self.matches(line[..<colon], name) else {
                return true
            }
            found = Self.value(line[(colon + 1)...])
            return false
        }
        return found
    }

    /// All values of that name, in order.
    public func values(_ name: StaticString) -> [String] {
        var found: [String] = []
        visit { line, colon in
            if line.startIndex + name.utf8CodeUnitCount == colon, Self.matches(line[..<colon], name) {
                found.append(Self.value(line[(colon + 1)...]))
            }
            return true
        }
        return found
    }

    /// Every field, in order.
    public var fields: [HTTPField] {
        var all: [HTTPField] = []
        visit { line, colon in
            all.append(HTTPField(String(decoding: line[..<colon], as: UTF8.self), Self.value(line[(colon + 1)...])))
            return true
        }
        return all
    }

    private func visit(_ body: (ArraySlice<UInt8>, Int) -> Bool) {
        let bytes = block.span
        var start = 0
        while start < bytes.count {
            var end = start
            var colon = -1
            while end < bytes.count, bytes[end] != 0x0A {
                if colon < 0, bytes[end] == 0x3A { colon = end }
                end += 1
            }
            if colon > start, !body(block[start..<end], colon) { return }
            start = end + 1
        }
    }

    private static func matches(_ bytes: ArraySlice<UInt8>, _ name: StaticString) -> Bool {
        name.withUTF8Buffer { unsafe $0.elementsEqual(bytes) { lower($0) == lower($1) } }
    }

    private static func lower(_ byte: UInt8) -> UInt8 { (0x41...0x5A).contains(byte) ? byte | 0x20 : byte }

    private static func value(_ bytes: ArraySlice<UInt8>) -> String {
        func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0D }
        var value = bytes
        while let first = value.first, isBlank(first) { value.removeFirst() }
        while let last = value.last, isBlank(last) { value.removeLast() }
        return String(decoding: value, as: UTF8.self)
    }
}
