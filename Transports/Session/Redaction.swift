/// Takes secrets out of what is shown: it is applied where an event or a sentence is made, so that no frontend sees them.
public enum Redaction {
    /// Query keys whose values are secrets, in lower case.
    static let keys: Set<String> = [
        "token", "access_token", "key", "api_key", "sig", "signature", "secret", "password", "auth", "x-amz-signature",
        "x-amz-credential", "x-amz-security-token",
    ]

    /// The URL without userinfo, and with `…` for the values of secret query keys.
    ///
    /// Works on what is no URL, too: of what may be userinfo nothing is left.
    public static func url(_ text: String) -> String {
        guard mayHaveSecrets(text.utf8.span) else { return text }
        return withoutSecretValues(withoutUserinfo(text))
    }

    /// Of most URLs nothing more need be asked.
    private static func mayHaveSecrets(_ bytes: borrowing Span<UInt8>) -> Bool {
        for index in bytes.indices {
            switch bytes[index] {
            case 0x23, 0x3F, 0x40: return true
            default: break
            }
        }
        return false
    }

    private static func withoutUserinfo(_ text: String) -> String {
        var shown = ""
        var rest = text[...]
        while true {
            let authority = rest.prefix { !"/\\?#".contains($0) }
            // `user:pa/ss@host`: a port that is none may be the beginning of a password with a slash in it.
            let suspect = authority.contains("@") || !hasOddPort(authority) ? authority : rest
            if let at = suspect.lastIndex(of: "@") {
                rest = rest[rest.index(after: at)...]  // and once more: this may have been within a password
            } else if let next = nextAuthority(in: rest) {
                shown += rest[..<next]
                rest = rest[next...]
            } else {
                return shown + rest
            }
        }
    }

    private static func hasOddPort(_ authority: Substring) -> Bool {
        let port = authority.lastIndex(of: ":").map { authority[authority.index(after: $0)...] } ?? ""
        return !port.hasSuffix("]") && port.contains { !$0.isNumber }
    }

    /// Behind `//`, and behind `:/`: people write `http:/user@host`, too.
    private static func nextAuthority(in text: Substring) -> Substring.Index? {
        var before: Character?
        var start = text.startIndex
        while let slash = text[start...].firstIndex(where: { $0 == "/" || $0 == "\\" }) {
            if slash > text.startIndex { before = text[text.index(before: slash)] }
            let end = text[slash...].firstIndex { $0 != "/" && $0 != "\\" } ?? text.endIndex
            if before == ":" || text.index(after: slash) != end { return end }
            start = end
        }
        return nil
    }

    /// In the query, and in the fragment, where some servers put tokens.
    private static func withoutSecretValues(_ text: String) -> String {
        guard let start = text.firstIndex(where: { $0 == "?" || $0 == "#" }) else { return text }
        var shown = String(text[..<start])
        var rest = text[start...]
        while let delimiter = rest.popFirst() {
            let pair = rest.prefix { $0 != "&" && $0 != "#" }
            rest = rest[pair.endIndex...]
            shown.append(delimiter)
            if let equals = pair.firstIndex(of: "="), isSecret(pair[..<equals]) {
                shown += pair[...equals] + "…"
            } else {
                shown += pair
            }
        }
        return shown
    }

    private static func isSecret(_ key: Substring) -> Bool {
        keys.contains((key.contains("%") ? PercentEncoding.decode(key) : String(key)).lowercased())
    }
}
