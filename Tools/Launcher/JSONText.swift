/// A little JSON (RFC 8259) to be printed.
enum JSONText: CustomStringConvertible {
    case string(String)
    case integer(Int)
    case number(Double)
    case bool(Bool)
    case array([JSONText])
    case object([(String, JSONText)])

    var description: String {
        switch self {
        case .string(let text): Self.quoted(text)
        case .integer(let number): "\(number)"
        case .number(let number): Int(exactly: number).map { "\($0)" } ?? "\(number)"
        case .bool(let isTrue): "\(isTrue)"
        case .array(let items): "[\(items.map(\.description).joined(separator: ","))]"
        case .object(let pairs): "{\(pairs.map { "\(Self.quoted($0.0)):\($0.1)" }.joined(separator: ","))}"
        }
    }

    /// The same for people: a line for each pair and item.
    func indented(by depth: Int = 0) -> String {
        let (inner, outer) = (String(repeating: "  ", count: depth + 1), String(repeating: "  ", count: depth))
        switch self {
        case .array(let items) where items.contains { if case .object = $0 { true } else { false } }:
            return "[\n\(items.map { inner + $0.indented(by: depth + 1) }.joined(separator: ",\n"))\n\(outer)]"
        case .object(let pairs) where !pairs.isEmpty:
            let lines = pairs.map { "\(inner)\(Self.quoted($0.0)): \($0.1.indented(by: depth + 1))" }
            return "{\n\(lines.joined(separator: ",\n"))\n\(outer)}"
        default: return description
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
