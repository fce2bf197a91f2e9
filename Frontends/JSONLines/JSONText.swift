import WhirlBoard

/// Appends JSON to bytes: objects on one line, always valid UTF-8, without anything that acts on a terminal.
struct JSONText {
    /// Integers beyond this are not exact in every reader (RFC 8259, section 6).
    private static let largest: Int64 = (1 << 53) - 1
    private(set) var bytes: [UInt8] = []
    private var needsComma = false
    /// The last second that was written, as far as `…:57.`: most records share theirs with the one before.
    private var second: (number: Int64, text: [UInt8]) = (.min, [])

    init(reserving count: Int = 0) { bytes.reserveCapacity(count) }

    /// Forgets the bytes, keeps the memory.
    mutating func clear() { bytes.removeAll(keepingCapacity: true) }

    mutating func beginObject() {
        bytes.append(UInt8(ascii: "{"))
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
        bytes.append(UInt8(ascii: "["))
        needsComma = false
    }

    mutating func endArray() {
        bytes.append(UInt8(ascii: "]"))
        needsComma = true
    }

    mutating func emptyArray(_ key: StaticString) {
        beginArray(key)
        endArray()
    }

    mutating func endObject() {
        bytes.append(UInt8(ascii: "}"))
        needsComma = true
    }

    mutating func endLine() {
        endObject()
        bytes.append(UInt8(ascii: "\n"))
    }

    mutating func lineFeed() { bytes.append(UInt8(ascii: "\n")) }

    // MARK: members

    mutating func put(_ key: StaticString, _ value: String) {
        put(key: key)
        put(string: value)
    }

    /// A member whose key comes from outside.
    mutating func put(named key: String, _ value: String) {
        comma()
        put(string: key)
        bytes.append(UInt8(ascii: ":"))
        put(string: value)
    }

    /// A value of ours, which needs no escapes.
    mutating func put(_ key: StaticString, _ word: StaticString) {
        put(key: key)
        bytes.append(UInt8(ascii: "\""))
        put(literal: word)
        bytes.append(UInt8(ascii: "\""))
    }

    /// A moment in microseconds since 1970, to the millisecond.
    mutating func put(_ key: StaticString, micros: Int64) {
        put(key: key)
        bytes.append(UInt8(ascii: "\""))
        let milliseconds = Int(micros / 1000 % 1000)
        if micros < 0 {
            bytes.append(contentsOf: Timestamp(micros).milliseconds.utf8)
        } else {
            if second.number != micros / 1_000_000 {
                second = (micros / 1_000_000, Array(Timestamp(micros).seconds.utf8.dropLast()) + [UInt8(ascii: ".")])
            }
            bytes.append(contentsOf: second.text)
            bytes.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: milliseconds / 100))
            bytes.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: milliseconds / 10 % 10))
            bytes.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: milliseconds % 10))
            bytes.append(UInt8(ascii: "Z"))
        }
        bytes.append(UInt8(ascii: "\""))
    }

    mutating func put(_ key: StaticString, _ value: Bool) {
        put(key: key)
        put(literal: value ? "true" : "false")
    }

    /// An integer; nil is null.
    mutating func put(_ key: StaticString, _ value: Int64?) {
        put(key: key)
        if let value { put(integer: min(max(value, -Self.largest), Self.largest)) } else { put(literal: "null") }
    }

    /// A decimal number with at most `digits` places; nil, and what is no number, is null.
    mutating func put(_ key: StaticString, _ value: Double?, digits: Int) {
        put(key: key)
        guard let value, value.isFinite, abs(value) < 1e12 else { return put(literal: "null") }
        put(decimal: value, digits: digits)
    }

    // MARK: parts

    private mutating func comma() {
        if needsComma { bytes.append(UInt8(ascii: ",")) }
        needsComma = true
    }

    /// A key is one of ours: it needs no escapes.
    private mutating func put(key: StaticString) {
        comma()
        bytes.append(UInt8(ascii: "\""))
        put(literal: key)
        bytes.append(UInt8(ascii: "\""))
        bytes.append(UInt8(ascii: ":"))
    }

    private mutating func put(literal: StaticString) {
        literal.withUTF8Buffer { unsafe bytes.append(contentsOf: $0) }
    }

    private mutating func put(integer: Int64) {
        if integer < 0 { bytes.append(UInt8(ascii: "-")) }
        var digits = InlineArray<20, UInt8>(repeating: 0)
        var start = digits.count
        var rest = integer.magnitude
        repeat {
            start -= 1
            digits[start] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
            rest /= 10
        } while rest > 0
        for index in start..<digits.count { bytes.append(digits[index]) }
    }

    private mutating func put(decimal: Double, digits: Int) {
        var scale: Int64 = 1
        for _ in 0..<digits { scale *= 10 }
        let scaled = Int64((decimal * Double(scale)).rounded())
        if scaled < 0 { bytes.append(UInt8(ascii: "-")) }
        let whole = Int64(scaled.magnitude) / scale
        var rest = Int64(scaled.magnitude) % scale
        put(integer: whole)
        guard rest > 0 else { return }
        bytes.append(UInt8(ascii: "."))
        while rest > 0 {
            scale /= 10
            bytes.append(UInt8(ascii: "0") + UInt8(rest / scale))
            rest %= scale
        }
    }

    private mutating func put(string: String) {
        bytes.append(UInt8(ascii: "\""))
        if string.utf8.allSatisfy({ 0x20...0x7E ~= $0 && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\") }) {
            bytes.append(contentsOf: string.utf8)
        } else {
            for scalar in string.unicodeScalars { put(scalar: scalar) }
        }
        bytes.append(UInt8(ascii: "\""))
    }

    private mutating func put(scalar: Unicode.Scalar) {
        switch scalar {
        case "\"", "\\": bytes += [UInt8(ascii: "\\"), UInt8(scalar.value)]
        case "\n": bytes += [UInt8(ascii: "\\"), UInt8(ascii: "n")]
        case "\t": bytes += [UInt8(ascii: "\\"), UInt8(ascii: "t")]
        case " "..."~": bytes.append(UInt8(scalar.value))
        default:
            if scalar.needsEscape {
                for unit in UTF16.encode(scalar) ?? .init() { put(escaped: unit) }
            } else {
                bytes.append(contentsOf: UTF8.encode(scalar) ?? .init())
            }
        }
    }

    private mutating func put(escaped unit: UInt16) {
        bytes += [UInt8(ascii: "\\"), UInt8(ascii: "u")]
        for shift in [12, 8, 4, 0] as [UInt16] {
            let digit = UInt8(unit >> shift & 15)
            bytes.append(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10)
        }
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
