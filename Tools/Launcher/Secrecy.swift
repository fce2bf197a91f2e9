import WhirlSession

/// Which values are not for everybody's eyes.
enum Secrecy {
    /// Whether a value may have a secret in it: it is not printed.
    static func mayHide(in value: OptionValue, of kind: ValueKind) -> Bool {
        switch (kind, value) {
        case (.header, .text(let line)): !publicFields.contains(fieldName(line))
        case (_, .secret(let source)): if case .command = source.place { true } else { false }
        default: isSecret(value, of: kind)
        }
    }

    /// Whether a value has a secret in it, as far as can be known.
    static func isSecret(_ value: OptionValue, of kind: ValueKind) -> Bool {
        guard case .text(let text) = value else { return false }
        switch kind {
        case .credentials: return text.contains(":")
        case .secret: return text.contains("@")
        case .header:
            let name = fieldName(text)
            return ["auth", "cookie", "token", "key", "secret", "pass"].contains { name.contains($0) }
        default: return Redaction.url(text) != text
        }
    }

    private static let publicFields: Set = [
        "accept", "accept-charset", "accept-language", "cache-control", "from", "pragma", "referer", "user-agent",
    ]

    private static func fieldName(_ line: String) -> String { line.prefix { $0 != ":" }.lowercased() }
}
