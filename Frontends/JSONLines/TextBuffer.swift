import Glibc

/// Text that grows at its end, piece by piece: room is asked for once a piece.
struct TextBuffer {
    /// All of it is there, so that a piece can be put anywhere: what counts are the first `count` bytes.
    private var storage: [UInt8]
    private(set) var count = 0

    init(reserving count: Int) { storage = [UInt8](repeating: 0, count: count) }

    var bytes: ArraySlice<UInt8> { storage[..<count] }

    /// Forgets the bytes, keeps the memory.
    mutating func clear() { count = 0 }

    mutating func put(_ literal: StaticString) {
        literal.withUTF8Buffer { unsafe put($0) }
    }

    mutating func put(_ bytes: [UInt8]) {
        unsafe bytes.withUnsafeBufferPointer { unsafe put($0) }
    }

    /// Three in one.
    mutating func put(before: StaticString, _ literal: StaticString, after: StaticString) {
        let (first, second) = (before.utf8CodeUnitCount, before.utf8CodeUnitCount + literal.utf8CodeUnitCount)
        unsafe put(second + after.utf8CodeUnitCount) { place in
            unsafe memcpy(place, before.utf8Start, first)
            unsafe memcpy(place + first, literal.utf8Start, literal.utf8CodeUnitCount)
            unsafe memcpy(place + second, after.utf8Start, after.utf8CodeUnitCount)
        }
    }

    /// Decimal digits, as many as are needed.
    mutating func put(_ number: UInt64) {
        var digits = 1
        var rest = number / 10
        while rest > 0 { (rest, digits) = (rest / 10, digits + 1) }
        put(number, digits: digits)
    }

    /// The last `digits` decimal digits.
    mutating func put(_ number: UInt64, digits: Int) {
        unsafe put(digits) { place in
            var rest = number
            for index in (0..<digits).reversed() {
                unsafe place[index] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
                rest /= 10
            }
        }
    }

    /// False, and nothing put, for text of which something has to be escaped in JSON, or is not ASCII.
    mutating func put(plain text: String) -> Bool {
        var text = text
        return text.withUTF8 { bytes in
            // No early end: most texts are plain, and so many bytes are looked at at once.
            var escapes: UInt8 = 0
            for index in bytes.indices {
                let byte = unsafe bytes[index]
                let mustEscape = byte &- 0x20 > 0x5E || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
                escapes |= mustEscape ? 1 : 0
            }
            if escapes == 0 { unsafe put(bytes) }
            return escapes == 0
        }
    }

    private mutating func put(_ bytes: UnsafeBufferPointer<UInt8>) {
        guard let start = bytes.baseAddress else { return }
        unsafe put(bytes.count) { place in unsafe memcpy(place, start, bytes.count) }
    }

    private mutating func put(_ room: Int, _ write: (UnsafeMutablePointer<UInt8>) -> Void) {
        if storage.count - count < room {
            storage.append(contentsOf: repeatElement(0, count: max(room, storage.count, 256)))
        }
        unsafe storage.withUnsafeMutableBufferPointer { storage in
            if let start = storage.baseAddress { unsafe write(start + count) }
        }
        count += room
    }
}
