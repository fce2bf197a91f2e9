/// RFC 3986, section 2.1.
enum PercentEncoding {
    /// The text with its escapes decoded; a broken escape stays, invalid UTF-8 becomes U+FFFD.
    static func decode(_ text: Substring) -> String {
        text.utf8.contains(0x25) ? String(decoding: bytes(text), as: UTF8.self) : String(text)
    }

    /// The same as bytes, which need not be UTF-8.
    static func bytes(_ text: Substring) -> [UInt8] {
        var bytes: [UInt8] = []
        var rest = text.utf8[...]
        while let first = rest.popFirst() {
            if first == 0x25, rest.count >= 2, let value = hexadecimal(rest.prefix(2)) {
                bytes.append(value)
                rest = rest.dropFirst(2)
            } else {
                bytes.append(first)
            }
        }
        return bytes
    }

    private static func hexadecimal(_ digits: Substring.UTF8View) -> UInt8? {
        var value: UInt8 = 0
        for digit in digits {
            switch digit {
            case 0x30...0x39: value = value << 4 | (digit - 0x30)
            case 0x41...0x46, 0x61...0x66: value = value << 4 | ((digit | 0x20) - 0x57)
            default: return nil
            }
        }
        return value
    }
}
