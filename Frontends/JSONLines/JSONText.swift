import WhirlBoard

/// Appends JSON to bytes: objects on one line, always valid UTF-8, without anything that acts on a terminal.
struct JSONText {
    /// Integers beyond this are not exact in every reader (RFC 8259, section 6).
    private static let largest: Int64 = (1 << 53) - 1
    private var text: TextBuffer
    private var needsComma = false
    /// The last millisecond that was written: most records share theirs with the one before.
    private var moment: (number: Int64, text: [UInt8]) = (.min, [])

    init(reserving count: Int = 0) { text = TextBuffer(reserving: count) }

    var count: Int { text.count }
    var bytes: ArraySlice<UInt8> { text.bytes }

    /// Forgets the bytes, keeps the memory.
    mutating func clear() { text.clear() }

    mutating func beginObject() {
        text.put("{")
        needsComma = false
    }

    mutating func beginObject(_ key: StaticString) {
        put(key: key)
        beginObject()
    }

    /// The next element of an array, an object.
    mutating func beginElement() {
        comma()
        beginObject()
    }

    mutating func beginArray(_ key: StaticString) {
        put(key: key)
        text.put("[")
        needsComma = false
    }

    mutating func endArray() {
        text.put("]")
        needsComma = true
    }

    mutating func emptyArray(_ key: StaticString) {
        beginArray(key)
        endArray()
    }

    mutating func endObject() {
        text.put("}")
        needsComma = true
    }

    mutating func endLine() {
        text.put("}\n")
        needsComma = true
    }

    mutating func lineFeed() { text.put("\n") }

    // MARK: members

    mutating func put(_ key: StaticString, _ value: String) {
        put(key: key)
        put(string: value)
    }

    /// A member whose key comes from outside.
    mutating func put(named key: String, _ value: String) {
        comma()
        put(string: key)
        text.put(":")
        put(string: value)
    }

    /// A value of ours, which needs no escapes.
    mutating func put(_ key: StaticString, _ word: StaticString) {
        put(key: key)
        text.put(before: "\"", word, after: "\"")
    }

    /// A moment in microseconds since 1970, to the millisecond.
    mutating func put(_ key: StaticString, micros: Int64) {
        put(key: key)
        let number = micros / 1000
        if number != moment.number || micros < 0 {
            moment = (number, Array("\"\(Timestamp(micros).milliseconds)\"".utf8))
        }
        text.put(moment.text)
    }

    mutating func put(_ key: StaticString, _ value: Bool) {
        put(key: key)
        text.put(value ? "true" : "false")
    }

    /// An integer; nil is null.
    mutating func put(_ key: StaticString, _ value: Int64?) {
        put(key: key)
        if let value { put(integer: min(max(value, -Self.largest), Self.largest)) } else { text.put("null") }
    }

    /// A decimal number with at most `digits` places; nil, and what is no number, is null.
    mutating func put(_ key: StaticString, _ value: Double?, digits: Int) {
        put(key: key)
        guard let value, value.isFinite, abs(value) < 1e12 else { return text.put("null") }
        put(decimal: value, digits: digits)
    }

    // MARK: parts

    private mutating func comma() {
        if needsComma { text.put(",") }
        needsComma = true
    }

    /// A key is one of ours: it needs no escapes.
    private mutating func put(key: StaticString) {
        text.put(before: needsComma ? ",\"" : "\"", key, after: "\":")
        needsComma = true
    }

    private mutating func put(integer: Int64) {
        if integer < 0 { text.put("-") }
        text.put(integer.magnitude)
    }

    private mutating func put(decimal: Double, digits: Int) {
        var scale: Int64 = 1
        for _ in 0..<digits { scale *= 10 }
        let scaled = Int64((decimal * Double(scale)).rounded())
        if scaled < 0 { text.put("-") }
        let whole = scaled.magnitude / scale.magnitude
        var rest = scaled.magnitude - whole * scale.magnitude
        text.put(whole)
        guard rest > 0 else { return }
        var digits = digits
        while rest % 10 == 0 { (rest, digits) = (rest / 10, digits - 1) }
        text.put(".")
        text.put(rest, digits: digits)
    }

    private mutating func put(string: String) {
        text.put("\"")
        if !text.put(plain: string) {
            for scalar in string.unicodeScalars { put(scalar: scalar) }
        }
        text.put("\"")
    }

    private mutating func put(scalar: Unicode.Scalar) {
        switch scalar {
        case "\"": text.put("\\\"")
        case "\\": text.put("\\\\")
        case "\n": text.put("\\n")
        case "\t": text.put("\\t")
        case " "..."~": text.put([UInt8(scalar.value)])
        default:
            if scalar.needsEscape {
                for unit in UTF16.encode(scalar) ?? .init() { put(escaped: unit) }
            } else {
                text.put(Array(UTF8.encode(scalar) ?? .init()))
            }
        }
    }

    private mutating func put(escaped unit: UInt16) {
        let digits = [12, 8, 4, 0].map { (shift: UInt16) -> UInt8 in
            let digit = UInt8(unit >> shift & 15)
            return digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10
        }
        text.put("\\u")
        text.put(digits)
    }
}

extension Unicode.Scalar {
    /// Controls, line separators, and what reorders or hides text.
    fileprivate var needsEscape: Bool {
        switch properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator: true
        default: false
        }
    }
}
