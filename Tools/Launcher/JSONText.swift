/// A little JSON (RFC 8259) to be printed.
enum JSONText: CustomStringConvertible {
    case string(String)
    case array([JSONText])
    case object([(String, JSONText)])

    var description: String {
        switch self {
        case .string(let text): Self.quoted(text)
        case .array(let items): "[\(items.map(\.description).joined(separator: ","))]"
        case .object(let pairs): "{\(pairs.map { "\(Self.quoted($0.0)):\($0.1)" }.joined(separator: ","))}"
        }
    }

    private static func quoted(_ text: String) -> String {
        var line = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"", "\\": line += "\\\(scalar)"
            case "\u{0}"..<"\u{20}", "\u{7F}":
                let digits = String(scalar.value, radix: 16)
                line += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: line.unicodeScalars.append(scalar)
            }
        }
        return line + "\""
    }
}
