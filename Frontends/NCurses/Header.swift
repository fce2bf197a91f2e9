#if NCurses
import WhirlBoard

/// The first line of a screen: counts first, then bytes, speed and the time that remains.
struct Header {
    /// One piece, in at most two lengths.
    private struct Part {
        /// The highest goes first when it is narrow.
        let rank: Int
        /// From the longest to the shortest.
        var texts: [String]
        var style = Style.reverse

        init(_ rank: Int, _ texts: String..., style: Style = .reverse) {
            self.rank = rank
            self.texts = texts
            self.style = style
        }
    }

    private static let decoration = 11

    let model: DashboardModel
    let width: Int
    let tick: Int
    let glyphs: Glyphs

    private var totals: Totals { model.totals }
    private var isNarrow: Bool { width < 60 }
    private var gap: String { isNarrow ? " " : "  " }

    var line: StyledLine {
        let bar = self.bar
        let room = width - bar.reduce(0) { $0 + glyphs.columns($1.text) }
        let parts = fitting(room)
        var line = [StyledText(lead, .reverse)]
        for (index, part) in parts.enumerated() {
            line.append(StyledText((index == 0 ? "" : gap), .reverse))
            line.append(StyledText(part.texts[0], part.style))
        }
        let taken = line.reduce(0) { $0 + glyphs.columns($1.text) }
        if taken > room { return [StyledText(glyphs.left(line.map(\.text).joined(), width), .reverse)] }
        line.append(StyledText(String(repeating: " ", count: room - taken), .reverse))
        return line + bar
    }

    /// The run's own indicator, above those of the rows.
    private var lead: String { " " + (model.isBusy ? glyphs.spinner(at: tick) : " ") + " " }

    /// As many parts as there is room for: first without what only decorates, then shorter ones, then fewer.
    private func fitting(_ room: Int) -> [Part] {
        var parts = self.parts
        func taken() -> Int {
            glyphs.columns(lead) + parts.reduce(0) { $0 + glyphs.columns($1.texts[0]) }
                + max(0, parts.count - 1) * gap.utf8.count
        }
        if taken() > room { parts.removeAll { $0.rank == Self.decoration } }
        while taken() > room, let longest = parts.indices.last(where: { parts[$0].texts.count > 1 }) {
            parts[longest].texts.removeFirst()
        }
        while taken() > room, let last = parts.map(\.rank).max(), last > 0 { parts.removeAll { $0.rank == last } }
        return parts
    }

    private var parts: [Part] {
        var parts = [Part(Self.decoration, "whirl")]
        let done = "\(totals.completed + totals.skipped)/\(totals.created)"
        parts.append(Part(0, isNarrow ? done : done + " done"))
        if totals.failed > 0 {
            parts.append(Part(1, isNarrow ? "!\(totals.failed)" : "\(totals.failed) failed", style: .alarm))
        }
        if !isNarrow {
            parts.append(Part(4, "\(totals.active) active"))
            if totals.queued > 0 { parts.append(Part(5, "\(totals.queued) queued")) }
            if totals.paused > 0 { parts.append(Part(7, "\(totals.paused) paused")) }
            if totals.cancelled > 0 { parts.append(Part(8, "\(totals.cancelled) cancelled")) }
            parts.append(bytes)
        }
        parts.append(Part(2, Units.rate(totals.speed)))
        if totals.ended < totals.created {
            let remaining = Units.remaining(totals.remaining)
            parts.append(isNarrow ? Part(3, remaining) : Part(3, "ETA " + remaining))
        }
        return parts
    }

    /// Bytes in hand of those that are expected, which is only a lower bound while a size is unknown.
    private var bytes: Part {
        let moved = Units.bytes(totals.bytes)
        guard totals.ended < totals.created, totals.expected > 0 else { return Part(6, moved) }
        let mark = totals.unsized > 0 ? glyphs.atLeast + " " : ""
        return Part(6, "\(Units.bytes(totals.received)) of \(mark)\(Units.bytes(totals.expected))", moved)
    }

    /// On a wide screen how many of the tasks have ended: a share of bytes would lie while sizes are unknown.
    private var bar: StyledLine {
        guard width >= 120, totals.created > 0 else { return [] }
        let fraction = min(1, Double(totals.ended) / Double(totals.created))
        return [
            StyledText(glyphs.right(Units.percent(fraction), 5) + " ", .reverse),
            StyledText(glyphs.bar(fraction, width / 6), .running), StyledText(" ", .plain),
        ]
    }
}
#endif
