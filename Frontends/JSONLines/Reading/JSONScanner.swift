/// Reads one value of JSON (RFC 8259) from bytes: all of it, and nothing that is none.
///
/// What is no UTF-8 within a string is repaired.
struct JSONScanner {
    /// Why it is none.
    struct Fault: Error, Equatable {
        let reason: String
        init(_ reason: String) { self.reason = reason }
    }
    /// Deeper nesting is refused: it would take the stack.
    private static let deepest = 32
    private let bytes: [UInt8]
    private let end: Int
    private var place: Int

    /// The value that these bytes are.
    static func read(_ bytes: [UInt8], _ range: Range<Int>) throws(Fault) -> JSONItem {
        var scanner = JSONScanner(bytes: bytes, range: range)
        let item = try scanner.value(depth: 0)
        scanner.skipSpace()
        guard scanner.place == scanner.end else { throw Fault("there is more behind its end") }
        return item
    }

    private init(bytes: [UInt8], range: Range<Int>) {
        self.bytes = bytes
        place = range.lowerBound
        end = range.upperBound
    }

    /// The byte here; 0 at the end, which is no part of JSON.
    private var byte: UInt8 { place < end ? bytes[place] : 0 }

    private mutating func skipSpace() {
        while byte == 0x20 || byte == 0x09 || byte == 0x0D || byte == 0x0A { place += 1 }
    }

    private mutating func take(_ wanted: UInt8) -> Bool {
        guard byte == wanted, place < end else { return false }
        place += 1
        return true
    }

    private mutating func value(depth: Int) throws(Fault) -> JSONItem {
        guard depth < Self.deepest else { throw Fault("it is nested too deep") }
        skipSpace()
        guard place < end else { throw Fault("it ends too early") }
        switch byte {
        case UInt8(ascii: "{"): return try object(depth)
        case UInt8(ascii: "["): return try array(depth)
        case UInt8(ascii: "\""): return .string(try string())
        case UInt8(ascii: "t"): return try word("true", .bool(true))
        case UInt8(ascii: "f"): return try word("false", .bool(false))
        case UInt8(ascii: "n"): return try word("null", .null)
        default: return try number()
        }
    }

    private mutating func word(_ word: StaticString, _ item: JSONItem) throws(Fault) -> JSONItem {
        let length = word.utf8CodeUnitCount
        guard end - place >= length,
            word.withUTF8Buffer({ unsafe bytes[place..<place + length].elementsEqual($0) })
        else { throw Fault("it is no JSON") }
        place += length
        return item
    }

    // MARK: more than one

    private mutating func object(_ depth: Int) throws(Fault) -> JSONItem {
        place += 1
        var members: [JSONItem.Member] = []
        members.reserveCapacity(12)
        skipSpace()
        if take(UInt8(ascii: "}")) { return .object(members) }
        repeat {
            skipSpace()
            guard byte == UInt8(ascii: "\"") else { throw Fault("a name is missing") }
            let name = try string()
            skipSpace()
            guard take(UInt8(ascii: ":")) else { throw Fault("a colon is missing") }
            members.append(JSONItem.Member(name: name, value: try value(depth: depth + 1)))
            skipSpace()
        } while take(UInt8(ascii: ","))
        guard take(UInt8(ascii: "}")) else { throw Fault(place < end ? "it is no JSON" : "it ends too early") }
        return .object(members)
    }

    private mutating func array(_ depth: Int) throws(Fault) -> JSONItem {
        place += 1
        var items: [JSONItem] = []
        skipSpace()
        if take(UInt8(ascii: "]")) { return .array(items) }
        repeat {
            items.append(try value(depth: depth + 1))
            skipSpace()
        } while take(UInt8(ascii: ","))
        guard take(UInt8(ascii: "]")) else { throw Fault(place < end ? "it is no JSON" : "it ends too early") }
        return .array(items)
    }

    // MARK: numbers

    private mutating func number() throws(Fault) -> JSONItem {
        let start = place
        let isNegative = take(UInt8(ascii: "-"))
        let first = place
        var whole: Int64 = 0
        var fits = true
        while let digit = digit {
            fits = fits && place - first < 18
            if fits { whole = whole * 10 + Int64(digit) }
            place += 1
        }
        guard place > first, place == first + 1 || bytes[first] != UInt8(ascii: "0") else {
            throw Fault("it is no JSON")
        }
        let isWhole = try !fraction()
        if isWhole, fits { return .integer(isNegative ? -whole : whole) }
        guard let number = Double(String(decoding: bytes[start..<place], as: UTF8.self)), number.isFinite else {
            throw Fault("a number is too large")
        }
        return .number(number)
    }

    /// Whether there is one, or an exponent.
    private mutating func fraction() throws(Fault) -> Bool {
        var isThere = false
        if take(UInt8(ascii: ".")) {
            isThere = true
            try digits()
        }
        if byte | 0x20 == UInt8(ascii: "e") {
            isThere = true
            place += 1
            if byte == UInt8(ascii: "+") || byte == UInt8(ascii: "-") { place += 1 }
            try digits()
        }
        return isThere
    }

    private mutating func digits() throws(Fault) {
        guard digit != nil else { throw Fault("it is no JSON") }
        while digit != nil { place += 1 }
    }

    private var digit: UInt8? {
        let byte = byte
        return byte >= 0x30 && byte <= 0x39 ? byte - 0x30 : nil
    }

    // MARK: strings

    private mutating func string() throws(Fault) -> String {
        place += 1
        let start = place
        while byte >= 0x20, byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\\") { place += 1 }
        if byte == UInt8(ascii: "\"") {
            defer { place += 1 }
            return String(decoding: bytes[start..<place], as: UTF8.self)
        }
        var text = Array(bytes[start..<place])
        while byte >= 0x20 {
            let next = byte
            place += 1
            switch next {
            case UInt8(ascii: "\""): return String(decoding: text, as: UTF8.self)
            case UInt8(ascii: "\\"): try escape(&text)
            default: text.append(next)
            }
        }
        throw Fault(place < end ? "a string has a control character in it" : "it ends too early")
    }

    private mutating func escape(_ text: inout [UInt8]) throws(Fault) {
        let letter = byte
        place += 1
        switch letter {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): text.append(letter)
        case UInt8(ascii: "b"): text.append(0x08)
        case UInt8(ascii: "f"): text.append(0x0C)
        case UInt8(ascii: "n"): text.append(0x0A)
        case UInt8(ascii: "r"): text.append(0x0D)
        case UInt8(ascii: "t"): text.append(0x09)
        case UInt8(ascii: "u"): text += String(try scalar()).utf8
        default: throw Fault("a string has a wrong escape in it")
        }
    }

    /// The scalar of four digits, or of eight where it takes two; half a pair is repaired.
    private mutating func scalar() throws(Fault) -> Character {
        let first = try unit()
        if let scalar = Unicode.Scalar(first) { return Character(scalar) }
        let before = place
        if first < 0xDC00, take(UInt8(ascii: "\\")), take(UInt8(ascii: "u")) {
            let second = try unit()
            if (0xDC00...0xDFFF).contains(second),
                let scalar = Unicode.Scalar(0x10000 + ((first - 0xD800) << 10) + (second - 0xDC00))
            {
                return Character(scalar)
            }
        }
        place = before
        return "\u{FFFD}"
    }

    private mutating func unit() throws(Fault) -> UInt32 {
        var unit: UInt32 = 0
        for _ in 0..<4 {
            switch byte {
            case 0x30...0x39: unit = unit << 4 | UInt32(byte - 0x30)
            case 0x41...0x46, 0x61...0x66: unit = unit << 4 | UInt32((byte | 0x20) - 0x61 + 10)
            default: throw Fault("a string has a wrong escape in it")
            }
            place += 1
        }
        return unit
    }
}
