#if NCurses
import WhirlBoard
import WhirlCore

/// The whole screen as lines: at most `size.rows` of them, none wider than `size.columns`.
///
/// `tick` counts tenths of a second: what is animated moves with it, and nothing else depends on the time.
func frame(_ model: DashboardModel, _ size: ScreenSize, tick: Int, _ glyphs: Glyphs) -> [StyledLine] {
    guard size.columns > 0, size.rows > 0 else { return [] }
    let layout = FrameLayout(size, showsLog: model.browser.showsLog, failed: model.totals.failed)
    guard !layout.isTiny else { return [tinyLine(model.totals, size.columns, glyphs)] }
    let width = size.columns
    var lines = [Header(model: model, width: width, tick: tick, glyphs: glyphs).line]
    if let pane = paneLines(model, width: width, glyphs) {
        lines += pane.dropFirst(min(model.browser.scroll, max(0, pane.count - (size.rows - 2)))).prefix(size.rows - 2)
    } else {
        lines += rowLines(model, layout.body, width, tick: tick, glyphs)
        while lines.count < layout.body + 1 { lines.append([]) }
        lines += LogPane(model: model, layout: layout, width: width, glyphs: glyphs).lines
    }
    while lines.count < size.rows - 1 { lines.append([]) }
    lines.append(Footer(model: model, width: width, glyphs: glyphs).line)
    return lines
}

/// All lines of the pane that covers the list; nil when none does.
func paneLines(_ model: DashboardModel, width: Int, _ glyphs: Glyphs) -> [StyledLine]? {
    switch model.browser.pane {
    case .list: nil
    case .help: HelpPane(width: width, glyphs: glyphs).lines
    case .details: DetailsPane(details: model.details, width: width, glyphs: glyphs).lines
    }
}

private func rowLines(
    _ model: DashboardModel, _ count: Int, _ width: Int, tick: Int, _ glyphs: Glyphs
) -> [StyledLine] {
    guard !model.rows.isEmpty else {
        let text = model.totals.created == 0 ? "no transfers yet" : "nothing to show"
        return [[StyledText(glyphs.left("   " + text, width), .dim)]]
    }
    let columns = RowColumns(width: width)
    return model.rows.prefix(count).map { row in
        let isSelected = row.id == model.browser.selected
        return RowLine(row: row, columns: columns, isSelected: isSelected, tick: tick, glyphs: glyphs).line
    }
}

/// What matters most when there is next to no room.
private func tinyLine(_ totals: Totals, _ width: Int, _ glyphs: Glyphs) -> StyledLine {
    let text = "\(totals.ended)/\(totals.created) \(Units.rate(totals.speed))"
    return [StyledText(glyphs.measure.left(text, width), .bold)]
}
#endif
