/// Reads JSON strictly (RFC 8259): nothing after the value, no name twice in an object, no lone surrogate.
struct JSONReader {
    /// So deep may values stand in each other.
    private static let deepest = 64
    private static let few = 16

    private let bytes: ArraySlice<UInt8>
    private var position: Int
    private var depth = 0

    /// The value that `bytes` are.
    static func read(_ bytes: ArraySlice<UInt8>) throws(CommandError) -> JSONValue {
        var reader = JSONReader(bytes)
        let value = try reader.value()
        reader.skipBlanks()
        guard reader.position == bytes.endIndex else {
            let isComma = reader.next == UInt8(ascii: ",")
            throw reader.error(
                isComma ? "a comma stands after the value; leave it out" : "there is more after the value")
        }
        return value
    }

    private init(_ bytes: ArraySlice<UInt8>) {
        self.bytes = bytes
        position = bytes.startIndex
    }

    /// `what` is missing or too much; a clause behind a semicolon says what to do, by default.
    private func error(_ what: Sentence) -> CommandError {
        let advice: Sentence = what.text.contains("; ") ? "" : "; write one whole value a line"
        return CommandError("not JSON at column \(position - bytes.startIndex + 1): \(what)\(advice)")
    }

    private var next: UInt8? { position < bytes.endIndex ? bytes[position] : nil }

    private mutating func skipBlanks() {
        while let byte = next, byte == 0x20 || byte == 0x09 || byte == 0x0D || byte == 0x0A { position += 1 }
    }

    /// Passes over that byte, after blanks; false when another comes.
    private mutating func take(_ byte: Unicode.Scalar) -> Bool {
        skipBlanks()
        guard next == UInt8(ascii: byte) else { return false }
        position += 1
        return true
    }

    private mutating func value() throws(CommandError) -> JSONValue {
        skipBlanks()
        switch next {
        case UInt8(ascii: "{"): return try nested { (reader) throws(CommandError) in try reader.object() }
        case UInt8(ascii: "["): return try nested { (reader) throws(CommandError) in try reader.array() }
        case UInt8(ascii: "\""): return .string(try string())
        case let byte? where byte == UInt8(ascii: "-") || Self.isDigit(byte): return .number(try number())
        case nil: throw error("it ends where a value should be")
        default:
            for (word, value) in [("true", JSONValue.bool(true)), ("false", .bool(false)), ("null", .null)]
            where bytes[position...].starts(with: word.utf8) {
                position += word.utf8.count
                return value
            }
            throw error("a value should be there")
        }
    }

    private mutating func nested(
        _ body: (inout JSONReader) throws(CommandError) -> JSONValue
    ) throws(CommandError) -> JSONValue {
        guard depth < Self.deepest else { throw error("values stand in each other more than \(Self.deepest) deep") }
        depth += 1
        defer { depth -= 1 }
        position += 1
        return try body(&self)
    }

    private mutating func object() throws(CommandError) -> JSONValue {
        var members: [JSONValue.Member] = []
        var names: Set<String> = []
        if take("}") { return .object([]) }
        repeat {
            skipBlanks()
            guard next == UInt8(ascii: "\"") else { throw error("a name in quotes should be there") }
            let name = try string()
            // To look through a few is quicker than a set; to look through all of many would take for ever.
            if members.count == Self.few { names = Set(members.map(\.name)) }
            let isNew =
                members.count < Self.few ? !members.contains { $0.name == name } : names.insert(name).inserted
            guard isNew else { throw error("\(quoted(name)) stands twice; leave one out") }
            guard take(":") else { throw error("a ':' should be there") }
            members.append(JSONValue.Member(name: name, value: try value()))
        } while take(",")
        guard take("}") else { throw error("a ',' or '}' should be there") }
        return .object(members)
    }

    private mutating func array() throws(CommandError) -> JSONValue {
        var items: [JSONValue] = []
        if take("]") { return .array([]) }
        repeat { items.append(try value()) } while take(",")
        guard take("]") else { throw error("a ',' or ']' should be there") }
        return .array(items)
    }

    // MARK: numbers

    private mutating func number() throws(CommandError) -> String {
        let start = position
        if next == UInt8(ascii: "-") { position += 1 }
        if next == UInt8(ascii: "0") { position += 1 } else { try digits() }
        if next == UInt8(ascii: ".") {
            position += 1
            try digits()
        }
        if next == UInt8(ascii: "e") || next == UInt8(ascii: "E") {
            position += 1
            if next == UInt8(ascii: "+") || next == UInt8(ascii: "-") { position += 1 }
            try digits()
        }
        return String(decoding: bytes[start..<position], as: UTF8.self)
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

    private mutating func digits() throws(CommandError) {
        let start = position
        while let byte = next, Self.isDigit(byte) { position += 1 }
        guard position > start else { throw error("a digit should be there") }
    }

    // MARK: strings

    private mutating func string() throws(CommandError) -> String {
        position += 1
        var text = ""
        while true {
            let start = position
            while let byte = next, byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\\"), byte >= 0x20 {
                position += 1
            }
            guard let plain = String(validating: bytes[start..<position], as: UTF8.self) else {
                throw error("the string before it is not UTF-8; save the file as UTF-8")
            }
            text = text.isEmpty ? plain : text + plain
            switch next {
            case UInt8(ascii: "\""):
                position += 1
                return text
            case UInt8(ascii: "\\"): text.unicodeScalars.append(try escape())
            case nil: throw error("it ends within a string; a \" is missing")
            default: throw error("a control character in a string; write it as \\u00XX")
            }
        }
    }

    private mutating func escape() throws(CommandError) -> Unicode.Scalar {
        position += 1
        guard let letter = next else { throw error("it ends within a string; a \" is missing") }
        switch letter {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): break
        case UInt8(ascii: "u"):
            position += 1
            return try scalar()
        default:
            guard let plain = Self.escapes[letter] else {
                throw error("there is no such escape; a \\ is written as \\\\")
            }
            position += 1
            return plain
        }
        position += 1
        return Unicode.Scalar(letter)
    }

    private static let escapes: [UInt8: Unicode.Scalar] = [
        UInt8(ascii: "b"): "\u{8}", UInt8(ascii: "f"): "\u{C}", UInt8(ascii: "n"): "\n", UInt8(ascii: "r"): "\r",
        UInt8(ascii: "t"): "\t",
    ]

    /// One scalar of one or two escapes.
    private mutating func scalar() throws(CommandError) -> Unicode.Scalar {
        let first = try unit()
        if let scalar = Unicode.Scalar(UInt32(first)) { return scalar }
        if first < 0xDC00, bytes[position...].starts(with: "\\u".utf8) {
            position += 2
            let second = try unit()
            if (0xDC00...0xDFFF).contains(second),
                let scalar = Unicode.Scalar(0x10000 + (UInt32(first) - 0xD800) << 10 + UInt32(second) - 0xDC00)
            {
                return scalar
            }
        }
        throw error("half of a pair of surrogates; write the character itself")
    }

    private mutating func unit() throws(CommandError) -> UInt16 {
        let end = min(position + 4, bytes.endIndex)
        let digits = String(decoding: bytes[position..<end], as: UTF8.self)
        guard digits.utf8.count == 4, digits.first != "+", let unit = UInt16(digits, radix: 16) else {
            throw error("four hexadecimal digits should be there")
        }
        position = end
        return unit
    }
}
