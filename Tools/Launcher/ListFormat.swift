/// How a list is written.
enum ListFormat: String, CaseIterable, Sendable {
    /// As its first line says.
    case auto
    /// A URL a line, perhaps followed by other URLs of the same bytes and by `out=PATH`, `size=N`, `sha256=HEX`.
    case plain
    /// A JSON object a line: `ManifestRecord`.
    case jsonl
    /// As aria2 reads it: URLs of the same bytes with tabs between them, and below them indented options.
    case aria2
    /// Digests and names, as `sha256sum` and its like write them: `SumsLine`.
    case sums

    /// The format of a list that begins with that line, which is neither empty nor a comment.
    ///
    /// What is neither JSON nor sums is `auto` still: plain, or aria2's if an indented option follows.
    static func of(_ line: ArraySlice<UInt8>) -> ListFormat {
        if line.first == UInt8(ascii: "{") || line.first == UInt8(ascii: "[") { return .jsonl }
        return SumsLine.looksLikeOne(line) ? .sums : .auto
    }
}
