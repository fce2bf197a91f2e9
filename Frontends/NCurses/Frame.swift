#if NCurses
import WhirlBoard
import WhirlCore

/// The whole screen as lines: at most `size.rows` of them, none wider than `size.columns`.
///
/// `tick` counts tenths of a second: what is animated moves with it, and nothing else depends on the time.
func frame(_ model: DashboardModel, _ size: ScreenSize, tick: Int, _ glyphs: Glyphs) -> [StyledLine] {
    guard size.columns > 0, size.rows > 0 else { return [] }
    guard size.columns >= 20, size.rows >= 3 else { return [tinyLine(model.totals, size.columns, glyphs)] }
    let columns = RowColumns(width: size.columns)
    var lines = [headerLine(model.totals, size.columns, glyphs)]
    for row in model.rows.prefix(bodyRows(size)) {
        let isSelected = row.id == model.selected
        lines.append(RowLine(row: row, columns: columns, isSelected: isSelected, tick: tick, glyphs: glyphs).line)
    }
    if model.rows.isEmpty { lines.append([StyledText(glyphs.left("   no transfers yet", size.columns), .dim)]) }
    while lines.count < size.rows - 1 { lines.append([]) }
    lines.append(footerLine(model, size.columns, glyphs))
    return lines
}

/// How many rows are in sight on a screen of that size.
func bodyRows(_ size: ScreenSize) -> Int {
    size.columns >= 20 && size.rows >= 3 ? size.rows - 2 : 1
}

private func tinyLine(_ totals: Totals, _ width: Int, _ glyphs: Glyphs) -> StyledLine {
    let text = "\(totals.ended)/\(totals.created) \(Units.rate(totals.speed))"
    return [StyledText(glyphs.measure.left(text, width), .bold)]
}

/// Counts first, then bytes, speed and the time that remains; what matters least goes first when it is narrow.
private func headerLine(_ totals: Totals, _ width: Int, _ glyphs: Glyphs) -> StyledLine {
    let done = totals.completed + totals.skipped
    let isNarrow = width < 60
    let gap = isNarrow ? " " : "  "
    // Each with its rank: the highest number is left out first.
    var parts: [(rank: Int, text: String)] = [(0, "\(done)/\(totals.created)" + (isNarrow ? "" : " done"))]
    if totals.failed > 0 { parts.append((1, isNarrow ? "!\(totals.failed)" : "\(totals.failed) failed")) }
    if !isNarrow {
        if totals.cancelled > 0 { parts.append((6, "\(totals.cancelled) cancelled")) }
        parts.append((4, "\(totals.active) active"))
        if totals.paused > 0 { parts.append((7, "\(totals.paused) paused")) }
        if totals.queued > 0 { parts.append((8, "\(totals.queued) queued")) }
        parts.append((5, Units.bytes(totals.bytes)))
    }
    parts.append((2, Units.rate(totals.speed)))
    if totals.ended < totals.created {
        parts.append((3, (isNarrow ? "" : "ETA ") + Units.remaining(totals.remaining)))
    }
    func text() -> String { " whirl" + parts.map { gap + $0.text }.joined() }
    while glyphs.columns(text()) > width, let last = parts.map(\.rank).max(), last > 0 {
        parts.removeAll { $0.rank == last }
    }
    return [StyledText(glyphs.left(text(), width), .reverse)]
}

private func footerLine(_ model: DashboardModel, _ width: Int, _ glyphs: Glyphs) -> StyledLine {
    let place = model.count > 0 ? " \(min(model.cursor, model.count - 1) + 1)/\(model.count) " : ""
    let room = max(0, width - place.utf8.count)
    if model.isQuitting { return [StyledText(glyphs.left(" quitting" + glyphs.ellipsis, room) + place, .bold)] }
    if let distant = model.distant {
        let word = distant.outcome == nil ? distant.group == .paused ? "paused" : "out of sight" : "ended"
        let text = glyphs.selected + " " + word + ": "
        let name = glyphs.fit(distant.name, max(0, room - glyphs.columns(text)))
        return [StyledText(glyphs.left(text + name, room) + place, .bold)]
    }
    if let warning = model.warning {
        return [StyledText(glyphs.left(" ! " + warning, room), .warning), StyledText(place, .dim)]
    }
    let keys = [" q quit", "space pause", "x cancel", "j k move"]
    var text = keys[0]
    for key in keys.dropFirst() where text.utf8.count + 3 + key.utf8.count < room { text += "   " + key }
    return [StyledText(glyphs.left(text, room) + place, .dim)]
}
#endif
