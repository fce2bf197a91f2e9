import WhirlCore

/// The file name that a `Content-Disposition` suggests (RFC 6266, RFC 8187).
enum ContentDisposition {
    /// The name as sent, not yet made harmless; nil when there is none.
    ///
    /// `filename*` wins over `filename`.
    static func fileName(_ value: String) -> String? {
        let parameters = parameters(value)
        if let extended = parameters["filename*"], let name = decode(extended), !name.isEmpty { return name }
        return parameters["filename"].flatMap { $0.isEmpty ? nil : $0 }
    }

    /// The parameters after the type, with names in lower case and quoted values unquoted; the first of a name counts.
    private static func parameters(_ value: String) -> [String: String] {
        var parameters: [String: String] = [:]
        var rest = value[...].drop { $0 != ";" }.dropFirst()
        while !rest.isEmpty {
            let name = rest.prefix { $0 != "=" && $0 != ";" }
            rest = rest.dropFirst(name.count)
            guard rest.first == "=" else {
                rest = rest.dropFirst()
                continue
            }
            rest = rest.dropFirst().drop { $0 == " " || $0 == "\t" }
            let text: String
            if rest.first == "\"" {
                (text, rest) = quoted(rest.dropFirst())
            } else {
                let token = rest.prefix { $0 != ";" }
                rest = rest.dropFirst(token.count)
                text = trimmed(token)
            }
            rest = rest.drop { $0 != ";" }.dropFirst()
            let key = trimmed(name).lowercased()
            if parameters[key] == nil { parameters[key] = text }
        }
        return parameters
    }

    /// The text up to the closing quote, and what follows it.
    private static func quoted(_ text: Substring) -> (String, Substring) {
        var value = ""
        var rest = text
        while let character = rest.popFirst(), character != "\"" {
            if character == "\\", let next = rest.popFirst() { value.append(next) } else { value.append(character) }
        }
        return (value, rest)
    }

    /// `UTF-8'en'na%20me`; nil for another charset or bytes that are none.
    private static func decode(_ value: String) -> String? {
        let parts = value.split(separator: "'", maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3 else { return nil }
        switch parts[0].lowercased() {
        case "utf-8": return String(validating: PercentEncoding.bytes(parts[2]), as: UTF8.self)
        case "iso-8859-1":
            return String(String.UnicodeScalarView(PercentEncoding.bytes(parts[2]).map { Unicode.Scalar($0) }))
        default: return nil
        }
    }

    private static func trimmed(_ text: Substring) -> String {
        String(text.drop { $0 == " " || $0 == "\t" }.reversed().drop { $0 == " " || $0 == "\t" }.reversed())
    }
}
