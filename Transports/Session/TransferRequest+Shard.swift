extension TransferRequest {
    /// Which of `count` parts of all requests this one belongs to, from 0: its URL alone says so.
    ///
    /// It is the number that the first 8 bytes of the SHA-256 of the URL are, most significant first, modulo `count`; the
    /// URL is taken as given, without userinfo and fragment. That holds in every version: several machines may work on
    /// one list, and the list may grow.
    public func shard(of count: Int) -> Int {
        let digest = Digest.sha256(Self.bare(url))
        return Int((UInt64(digest.prefix(16), radix: 16) ?? 0) % UInt64(max(1, count)))
    }

    private static func bare(_ url: String) -> String {
        guard url.utf8.contains(where: { $0 == 0x40 || $0 == 0x23 }) else { return url }
        let text = url.prefix { $0 != "#" }
        guard let colon = text.firstIndex(of: ":"), text[colon...].hasPrefix("://") else { return String(text) }
        let start = text.index(colon, offsetBy: 3)
        let authority = text[start...].prefix { $0 != "/" && $0 != "?" }
        guard let at = authority.lastIndex(of: "@") else { return String(text) }
        return String(text[..<start] + text[text.index(after: at)...])
    }
}
