/// Takes secrets out of what is shown: it is applied where an event is made, so that no frontend sees them.
enum Redaction {
    /// Query keys whose values are secrets, in lower case.
    static let keys: Set<String> = [
        "token", "access_token", "key", "api_key", "sig", "signature", "secret", "password", "auth", "x-amz-signature",
        "x-amz-credential", "x-amz-security-token",
    ]

    /// The URL without userinfo, and with `…` for the values of secret query keys.
    ///
    /// Works on what is no URL, too.
    static func url(_ text: String) -> String {
        guard text.utf8.contains(where: { $0 == 0x40 || $0 == 0x3F }) else { return text }
        return withoutSecretValues(withoutUserinfo(text))
    }

    private static func withoutUserinfo(_ text: String) -> String {
        let start = text.firstRange(of: "//")?.upperBound ?? text.startIndex
        let rest = text[start...]
        let authority = rest.prefix { $0 != "/" && $0 != "?" && $0 != "#" }
        // `user:pa/ss@host`: a port that is none may be the beginning of a password with a slash in it.
        let port = authority.lastIndex(of: ":").map { authority[authority.index(after: $0)...] } ?? ""
        let hasOddPort = !port.hasSuffix("]") && port.contains { !$0.isNumber }
        let suspect = authority.contains("@") || !hasOddPort ? authority : rest.prefix { $0 != "?" }
        guard let at = suspect.lastIndex(of: "@") else { return text }
        return String(text[..<start]) + rest[rest.index(after: at)...]
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
