import WhirlCore

/// A path with parts of the URL in it, such as `{host}/{name}`.
enum NameTemplate {
    private static let words = ["host", "path", "name", "stem", "ext", "index"]

    /// The path for a URL; `index` is the request's number in the run, from 1.
    ///
    /// Throws `usage` for a word that is none and a brace that is not closed.
    static func fill(_ template: String, _ source: SourceURL, index: Int) throws(TransferError) -> String {
        var path = ""
        var rest = template[...]
        while let character = rest.popFirst() {
            guard character == "{" else {
                path.append(character)
                continue
            }
            if rest.first == "{" {
                rest = rest.dropFirst()
                path.append("{")
                continue
            }
            guard let end = rest.firstIndex(of: "}") else {
                throw TransferError(.usage, "the output \(template) has a { without a }; {{ stands for {")
            }
            path += try value(of: rest[..<end], source, index, template)
            rest = rest[end...].dropFirst()
        }
        return path
    }

    private static func value(
        of word: Substring, _ source: SourceURL, _ index: Int, _ template: String
    ) throws(TransferError) -> String {
        let name = FileName.suggested(by: source.lastSegment)
        let dot = name.lastIndex(of: ".").flatMap { $0 > name.startIndex ? $0 : nil }
        switch word {
        case "host": return FileName.safe(source.host)
        case "path": return folders(source)
        case "name": return name
        case "stem": return dot.map { String(name[..<$0]) } ?? name
        case "ext": return dot.map { String(name[name.index(after: $0)...]) } ?? ""
        case "index": return "\(index)"
        default:
            let known = words.map { "{\($0)}" }.joined(separator: " ")
            throw TransferError(.usage, "the output \(template) has {\(word)}; there is \(known), and {{ stands for {")
        }
    }

    /// The segments of the path before its last, made harmless, joined by `/`; `.` when there are none.
    private static func folders(_ source: SourceURL) -> String {
        let segments = source.folders.map { FileName.safe(PercentEncoding.decode($0)) }
        return segments.isEmpty ? "." : segments.joined(separator: "/")
    }
}
