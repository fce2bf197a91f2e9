/// Measures, pads and cuts text by the columns of a terminal.
public struct Columns: Sendable {
    /// The columns one scalar takes.
    public let width: @Sendable (Unicode.Scalar) -> Int
    /// Marks where something was cut out; one column wide each.
    public let ellipsis: String

    /// By the width function given, such as the terminal library's.
    public init(
        ellipsis: String = "…", width: @escaping @Sendable (Unicode.Scalar) -> Int = { $0.columns }
    ) {
        self.width = width
        self.ellipsis = ellipsis
    }

    /// The columns that a text takes.
    public func count(_ text: String) -> Int {
        if text.isPlain { return text.utf8.count }
        return text.unicodeScalars.reduce(0) { $0 + max(0, width($1)) }
    }

    /// Exactly `columns` wide: cut in the middle or filled up behind (in front, when `right`).
    public func pad(_ text: String, to columns: Int, right: Bool = false) -> String {
        let text = fit(text, columns)
        let fill = String(repeating: " ", count: max(0, columns - count(text)))
        return right ? fill + text : text + fill
    }

    /// The beginning, at most `columns` wide; a wide character is never split.
    public func left(_ text: String, _ columns: Int) -> String {
        if count(text) <= columns { return text }
        return String(prefix(text, columns))
    }

    /// At most `columns` wide: cut in the middle, with at most 12 columns of the end kept.
    public func fit(_ text: String, _ columns: Int) -> String {
        if count(text) <= columns { return text }
        let mark = ellipsis.unicodeScalars.count
        guard columns > mark else { return left(ellipsis, max(0, columns)) }
        let tail = suffix(text, min(12, (columns - mark) / 2))
        let head = prefix(text, columns - mark - count(String(tail)))
        return head + ellipsis + tail
    }

    private func prefix(_ text: String, _ columns: Int) -> Substring {
        if text.isPlain { return text.prefixOfPlain(columns) }
        var used = 0
        return text.prefix { character in
            used += count(String(character))
            return used <= columns
        }
    }

    private func suffix(_ text: String, _ columns: Int) -> Substring {
        if text.isPlain { return text[text.prefixOfPlain(max(0, text.utf8.count - columns)).endIndex...] }
        var used = 0
        var start = text.endIndex
        while start > text.startIndex {
            let before = text.index(before: start)
            used += count(String(text[before..<start]))
            guard used <= columns else { break }
            start = before
        }
        return text[start...]
    }
}

extension String {
    /// Printable ASCII alone: each byte is a column, and harmless.
    package var isPlain: Bool {
        let bytes = utf8.span
        for index in bytes.indices where !(0x20...0x7E ~= bytes[index]) { return false }
        return true
    }

    /// The first bytes of plain text, found without looking at every character.
    fileprivate func prefixOfPlain(_ count: Int) -> Substring {
        self[..<(utf8.index(startIndex, offsetBy: count, limitedBy: endIndex) ?? endIndex)]
    }
}

extension Unicode.Scalar {
    /// The columns it takes where no terminal library says so: 2 for East Asian wide characters and emoji, 0 for
    /// combining marks and what is invisible.
    public var columns: Int {
        if 0x20...0x7E ~= value { return 1 }
        if value < 0x20 || 0x7F...0x9F ~= value { return 0 }
        if value < 0x300 { return value == 0xAD ? 0 : 1 }
        switch properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format, .control, .lineSeparator, .paragraphSeparator: return 0
        default: break
        }
        if 0x1160...0x11FF ~= value || 0xD7B0...0xD7FF ~= value { return 0 }  // vowels and finals join their syllable
        let isFlag = 0x1F1E6...0x1F1FF ~= value
        return Self.wide.contains { $0 ~= value } || properties.isEmojiPresentation && !isFlag ? 2 : 1
    }

    /// Wide and fullwidth by UAX 11, the gaps inside blocks included.
    private static let wide: [ClosedRange<UInt32>] = [
        0x1100...0x115F, 0x2329...0x232A, 0x2E80...0x303E, 0x3041...0x33FF, 0x3400...0x4DBF, 0x4E00...0x9FFF,
        0xA000...0xA4CF, 0xA960...0xA97C, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE10...0xFE19, 0xFE30...0xFE6F,
        0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x16FE0...0x16FF1, 0x17000...0x18DFF, 0x1AFF0...0x1B2FB,
        0x1F200...0x1F2FF, 0x20000...0x2FFFD, 0x30000...0x3FFFD,
    ]
}
