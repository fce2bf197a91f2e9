#if NCurses
import WhirlBoard
import WhirlCore

/// One row of the screen.
struct RowLine {
    let row: Row
    let columns: RowColumns
    let isSelected: Bool
    let tick: Int
    let glyphs: Glyphs

    /// The row's text, exactly as wide as the screen.
    var line: StyledLine {
        var parts = [StyledText(mark, .bold), StyledText(icon, style), StyledText(" ")]
        parts += name
        parts += row.group == .failed ? failure : numbers
        guard isSelected else { return parts }
        return parts.map { StyledText($0.text, .reverse) }
    }

    /// The name, and which try it is where there is no column for that.
    private var name: StyledLine {
        let style: Style = row.group == .queued ? .dim : .plain
        guard row.attempt > 1, row.group == .active, columns.attempt == 0, columns.name >= 20 else {
            return [StyledText(glyphs.fit(row.name, columns.name), style)]
        }
        let text = " try \(row.attempt)"
        return [StyledText(glyphs.fit(row.name, columns.name - text.utf8.count), style), StyledText(text, .warning)]
    }

    private var mark: String { isSelected ? glyphs.selected : " " }

    private var icon: String {
        switch row.outcome {
        case .completed: glyphs.done
        case .failed: glyphs.failed
        case .cancelled: glyphs.cancelled
        case .skipped: glyphs.skipped
        case nil where row.isAnimating: glyphs.spinner(at: tick)
        case nil: row.group == .paused ? glyphs.paused : " "
        }
    }

    private var style: Style {
        switch row.group {
        case .active: .running
        case .queued: .dim
        case .paused: .warning
        case .failed: .bad
        case .done: if case .completed = row.outcome { .good } else { .dim }
        }
    }

    // MARK: numbers

    private var numbers: [StyledText] {
        var parts: [StyledText] = []
        if columns.bar > 0 { parts.append(StyledText(" " + bar(columns.bar - 1), style)) }
        parts.append(StyledText(glyphs.right(percent, columns.percent)))
        if columns.bytes > 0 { parts.append(StyledText(glyphs.right(bytes, columns.bytes))) }
        if let word {
            let width = columns.note
            if width > 0 { parts.append(StyledText(glyphs.right(word, width), style)) }
        } else {
            if columns.speed > 0 { parts.append(StyledText(glyphs.right(Units.rate(row.speed), columns.speed))) }
            if columns.remaining > 0 {
                parts.append(StyledText(glyphs.right(Units.remaining(row.remaining), columns.remaining)))
            }
        }
        return parts + extras
    }

    /// Whether there are numbers to show.
    private var hasBegun: Bool {
        if case .skipped = row.outcome { return false }
        return row.attempt > 0
    }

    private var percent: String {
        guard hasBegun else { return "" }
        return row.progress.fraction == nil && row.outcome != nil ? "" : Units.percent(row.progress.fraction)
    }

    private var bytes: String {
        hasBegun ? Units.bytes(row.progress.received) : ""
    }

    /// What stands in the place of speed and remaining time; nil while bytes move.
    private var word: String? {
        switch row.outcome {
        case .completed: return row.duration.map { "in " + Units.duration($0) } ?? "done"
        case .skipped(let reason): return "skipped (\(clean(reason)))"
        case .cancelled: return "cancelled"
        case .failed: return "failed"
        case nil: break
        }
        if row.state == .canceling { return "canceling" }
        switch row.phase {
        case .receiving, .sending: return nil
        case .backoff:
            return row.delay.filter { _ in columns.speed > 0 }.map { "retry in " + Units.duration($0) } ?? "backoff"
        // A wide screen has a column for it.
        default: return columns.phase > 0 ? "" : row.phase.rawValue
        }
    }

    /// At least 140 columns: phase, attempt, host, status.
    private var extras: [StyledText] {
        guard columns.phase > 0 else { return [] }
        let phase = row.outcome == nil ? row.phase.rawValue : ""
        return [
            StyledText("  " + glyphs.left(phase, columns.phase - 2), .dim),
            StyledText(glyphs.left(row.attempt > 1 ? "try \(row.attempt)" : "", columns.attempt), .warning),
            StyledText(glyphs.left(row.host, columns.host), .dim),
            StyledText(glyphs.right(row.status.map { "\($0)" } ?? "", columns.status), .dim),
        ]
    }

    // MARK: bar

    private func bar(_ width: Int) -> String {
        guard hasBegun else { return glyphs.repeated(" ", width) }
        if let fraction = row.progress.fraction { return glyphs.bar(fraction, width) }
        guard row.isAnimating, row.progress.received > 0 else { return glyphs.repeated(glyphs.empty, width) }
        return bouncing(width)
    }

    /// A mark that runs to and fro: bytes come, and nobody knows how many.
    private func bouncing(_ width: Int) -> String {
        let mark = min(3, width)
        let way = max(1, width - mark)
        let step = (tick / 2) % (2 * way)
        let place = min(step < way ? step : 2 * way - step, width - mark)
        return glyphs.repeated(glyphs.empty, place) + glyphs.repeated(glyphs.full, mark)
            + glyphs.repeated(glyphs.empty, width - mark - place)
    }

    // MARK: failure

    /// Why it failed, in the place of all numbers, in as much detail as there is room for.
    private var failure: [StyledText] {
        guard let error = row.error else { return [StyledText(glyphs.right("failed", columns.tail), .bad)] }
        let short = error.status.filter { $0 >= 400 }.map { "\($0)" } ?? error.code.rawValue
        switch columns.tail {
        case ..<10: return [StyledText(glyphs.right(short.count <= 4 ? short : "fail", columns.tail), .bad)]
        case ..<40: return [StyledText(glyphs.right(short, columns.tail), .bad)]
        default:
            let tries = row.attempt > 1 ? "  (\(row.attempt) tries)" : ""
            let text = "  " + row.cause + tries
            return [StyledText(glyphs.left(text, columns.tail - columns.extras), .bad)] + extras
        }
    }
}

extension Optional {
    /// The value if it meets the condition.
    fileprivate func filter(_ condition: (Wrapped) -> Bool) -> Wrapped? { flatMap { condition($0) ? $0 : nil } }
}
#endif
