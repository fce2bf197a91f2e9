#if NCurses
import WhirlBoard
import WhirlCore

/// Below the rows: what happened last, and what failed.
struct LogPane {
    let model: DashboardModel
    let layout: FrameLayout
    let width: Int
    let glyphs: Glyphs

    var lines: [StyledLine] {
        var lines: [StyledLine] = []
        if layout.log > 0 {
            lines.append(rule("log"))
            let notes = model.notes.suffix(layout.log).map(line)
            lines += notes + Array(repeating: [], count: layout.log - notes.count)
        }
        if layout.failures > 0 {
            lines.append(rule("\(model.totals.failed) failed"))
            lines += model.failures.suffix(layout.failures).map(line)
        }
        return lines
    }

    private func rule(_ title: String) -> StyledLine {
        let text = glyphs.repeated(glyphs.rule, 2) + " " + title + " "
        let rest = glyphs.repeated(glyphs.rule, width - glyphs.columns(text))
        return [StyledText(glyphs.left(text + rest, width), .dim)]
    }

    private func line(_ note: BoardNote) -> StyledLine {
        let (mark, style) = look(note.kind)
        let time = glyphs.right(Units.clock(note.elapsed), 8)
        let text = note.name.isEmpty ? note.text : name(note.name) + "  " + note.text
        let room = max(0, width - 11)
        return [
            StyledText(time, .dim), StyledText(" " + mark + " ", style),
            StyledText(glyphs.left(text, room), note.kind == .started ? .dim : .plain),
        ]
    }

    private func line(_ row: Row) -> StyledLine {
        var text = name(row.name) + "  " + row.cause
        if row.attempt > 1 { text += ", \(row.attempt) tries" }
        if width >= 100 { text += "  " + row.url }
        return [StyledText(" " + glyphs.failed + " ", .bad), StyledText(glyphs.left(text, max(0, width - 3)))]
    }

    private func name(_ text: String) -> String { glyphs.fit(text, max(8, width / 4)) }

    private func look(_ kind: BoardNote.Kind) -> (String, Style) {
        switch kind {
        case .started: (" ", .dim)
        case .moved: (glyphs.moved, .dim)
        case .trouble: (glyphs.warning, .warning)
        case .warning: (glyphs.warning, .warning)
        case .paused: (glyphs.paused, .warning)
        case .completed: (glyphs.done, .good)
        case .failed: (glyphs.failed, .bad)
        case .skipped: (glyphs.skipped, .dim)
        case .cancelled: (glyphs.cancelled, .dim)
        }
    }
}
#endif
