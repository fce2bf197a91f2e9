#if NCurses
import WhirlBoard

/// Texts of an exact width in columns. A wide character is never split: a space stands in for its other half.
extension Glyphs {
    /// The columns a text takes.
    func columns(_ text: String) -> Int { measure.count(shown(text)) }

    /// Exactly `width` columns: padded on the right, or with its middle left out; the end of a name says what it is.
    func fit(_ text: String, _ width: Int) -> String { measure.pad(shown(text), to: width) }

    /// Exactly `width` columns: padded on the right, or cut there.
    func left(_ text: String, _ width: Int) -> String {
        let text = shown(text)
        guard measure.count(text) > width else { return filled(text, width) }
        return filled(measure.left(text, max(0, width - 1)) + (width > 0 ? ellipsis : ""), width)
    }

    /// Exactly `width` columns: padded on the left, or cut on the right.
    ///
    /// The first column stays empty.
    func right(_ text: String, _ width: Int) -> String {
        let taken = columns(text)
        guard taken < width else { return " " + left(text, width - 1) }
        return blank(width - taken) + shown(text)
    }

    /// At most `width` columns, cut in the middle.
    func fitted(_ text: String, _ width: Int) -> String { measure.fit(shown(text), width) }

    /// The whole text on as many lines as it takes, none wider than `width`; broken at blanks where there are some.
    func folded(_ text: String, _ width: Int) -> [String] {
        var lines: [String] = []
        var rest = Substring(shown(text))
        while measure.count(String(rest)) > width {
            var head = measure.left(String(rest), width)
            // One character may be wider than the line: without it nothing would ever get shorter.
            if head.isEmpty { head = String(rest.prefix(1)) }
            let following = rest.dropFirst(head.count)
            if following.first != " ", let blank = head.lastIndex(of: " "), blank > head.startIndex {
                head = String(head[..<blank])
            }
            lines.append(measure.left(head, width))
            rest = rest.dropFirst(head.count).drop { $0 == " " }
        }
        return rest.isEmpty && !lines.isEmpty ? lines : lines + [String(rest)]
    }

    private func filled(_ text: String, _ width: Int) -> String { text + blank(width - measure.count(text)) }

    private func blank(_ count: Int) -> String { String(repeating: " ", count: max(0, count)) }

    /// The text as the terminal can show it: where that is ASCII, question marks as wide as what they stand for.
    private func shown(_ text: String) -> String {
        guard isASCII, !text.utf8.allSatisfy({ $0 < 0x80 }) else { return text }
        var shown = ""
        for scalar in text.unicodeScalars {
            if scalar.isASCII {
                shown.unicodeScalars.append(scalar)
            } else {
                shown += String(repeating: "?", count: scalar.columns)
            }
        }
        return shown
    }
}
#endif
