/// Takes secrets out of what is shown: it is applied where an event is made, so that no frontend sees them.
enum Redaction {
    /// Query keys whose values are secrets, in lower case.
    static let keys: Set<String> = [
        "token", "access_token", "key", "api_key", "sig", "signature", "secret", "password", "auth", "x-amz-signature",
        "x-amz-credential", "x-amz-security-token",
    ]

    /// The URL without userinfo, and with `…` for the values of secret query keys. Works on what is no URL, too.
    static func url(_ text: String) -> String {
        guard text.utf8.contains(where: { $0 == 0x40 || $0 == 0x3F }) else { return text }
        return withoutSecretValues(withoutUserinfo(text))
    }

    private static func withoutUserinfo(_ text: String) -> String {
        guard let slashes = text.firstRange(of: "//") else { return text }
        let rest = text[slashes.upperBound...]
        let authority = rest.prefix { $0 != "/" && $0 != "?" && $0 != "#" }
        guard let at = authority.lastIndex(of: "@") else { return text }
        return String(text[..<slashes.upperBound]) + rest[rest.index(after: at)...]
    }

    private static func withoutSecretValues(_ text: String) -> String {
        guard let question = text.firstIndex(of: "?") else { return text }
        let start = text.index(after: question)
        let end = text[start...].firstIndex(of: "#") ?? text.endIndex
        let pairs = text[start..<end].split(separator: "&", omittingEmptySubsequences: false).map { pair in
            guard let equals = pair.firstIndex(of: "="), isSecret(pair[..<equals]) else { return String(pair) }
            return pair[...equals] + "…"
        }
        return text[..<start] + pairs.joined(separator: "&") + text[end...]
    }

    private static func isSecret(_ key: Substring) -> Bool {
        keys.contains((key.contains("%") ? PercentEncoding.decode(key) : String(key)).lowercased())
    }
}
