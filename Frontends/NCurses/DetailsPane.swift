#if NCurses
import WhirlBoard
import WhirlCore

/// All that is known of one task.
struct DetailsPane {
    let details: DashboardModel.Details?
    let width: Int
    let glyphs: Glyphs

    /// Where values begin.
    private static let column = 10

    var lines: [StyledLine] {
        guard let details else { return [[StyledText(glyphs.left(" nothing is selected", width), .dim)]] }
        let row = details.row
        var lines = glyphs.folded(row.name, max(1, width - 1)).map { [StyledText(" " + $0, .bold)] }
        lines.append([])
        lines += field("state", state(row)) + field("progress", progress(row))
        lines += field("URL", row.url) + field("goes to", row.destination)
        lines += error(row)
        if let history = details.history { lines += past(history) }
        return lines + ending(row)
    }

    // MARK: parts

    private func state(_ row: Row) -> String {
        var text: String
        switch row.outcome {
        case .completed: text = "done"
        case .failed: text = "failed"
        case .skipped(let reason): text = "skipped: " + clean(reason)
        case .cancelled(let reason): text = "cancelled: " + clean(reason)
        case nil: text = row.state == .canceling ? "canceling" : row.phase.rawValue
        }
        if let duration = row.duration { text += (row.outcome == nil ? " for " : " after ") + Units.duration(duration) }
        if row.attempt > 1 { text += ", try \(row.attempt)" }
        if let delay = row.delay { text += ", again in " + Units.duration(delay) }
        return text
    }

    private func progress(_ row: Row) -> String {
        guard row.attempt > 0 else { return "" }
        var text = Units.bytes(row.progress.received)
        if let total = row.progress.total {
            text += " of " + Units.bytes(total) + ", " + Units.percent(row.progress.fraction)
        } else if row.outcome == nil {
            text += " of an unknown size"
        }
        guard row.outcome == nil else { return text }
        text += ", " + Units.rate(row.speed)
        if let remaining = row.remaining { text += ", ETA " + Units.remaining(remaining) }
        return text
    }

    /// The sentence whole, then what programs go by.
    private func error(_ row: Row) -> [StyledLine] {
        guard let error = row.error else { return [] }
        var facts = [error.code.rawValue]
        if let status = error.status { facts.append("HTTP \(status)") }
        if let native = error.native { facts.append((error.transport ?? "number") + " \(native)") }
        facts.append(error.isRetryable ? "another try may help" : "another try would not help")
        return field("error", row.cause, row.outcome == nil ? .warning : .bad)
            + field("", clean(facts.joined(separator: ", ")), .dim)
    }

    private func past(_ history: TaskHistory) -> [StyledLine] {
        let tries = history.attempts.map { attempt in
            var text = "\(attempt.number) at \(Units.clock(attempt.began))"
            if attempt.offset > 0 { text += " from " + Units.bytes(attempt.offset) }
            if let duration = attempt.duration { text += ", " + Units.duration(duration) }
            if let error = attempt.error { text += ": " + clean(error.message) }
            return text
        }
        let phases = history.phases.map { "\($0.phase.rawValue) \(Units.duration($0.duration))" }
        return fields("answer", history.answer) + fields("redirect", history.redirects)
            + fields("restart", history.restarts) + fields("tries", tries)
            + field("phases", phases.joined(separator: ", "))
    }

    private func ending(_ row: Row) -> [StyledLine] {
        guard case .completed(let completion) = row.outcome else { return [] }
        let digests = completion.digests.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }
        return field("timings", timings(completion.timings))
            + fields("digest", digests.map { clean($0) })
    }

    /// As the transport measured the last exchange; what it has not measured is left out.
    private func timings(_ timings: ExchangeTimings?) -> String {
        guard let timings else { return "" }
        let parts: [(String, Double?)] = [
            ("blocked", timings.blocked), ("dns", timings.dns), ("connect", timings.connect), ("ssl", timings.ssl),
            ("send", timings.send), ("wait", timings.wait), ("receive", timings.receive),
        ]
        return parts.compactMap { name, value in value.map { "\(name) \(Units.milliseconds($0))" } }
            .joined(separator: ", ")
    }

    // MARK: lines

    private func fields(_ label: String, _ values: [String]) -> [StyledLine] {
        values.enumerated().flatMap { field($0.offset == 0 ? label : "", $0.element) }
    }

    /// A value beside its label, on as many lines as it takes; none for an empty value.
    private func field(_ label: String, _ value: String, _ style: Style = .plain) -> [StyledLine] {
        guard !value.isEmpty else { return [] }
        let texts = glyphs.folded(value, max(1, width - Self.column - 1))
        return texts.enumerated().map { index, text in
            let label = glyphs.left(" " + (index == 0 ? label : ""), Self.column) + " "
            return [StyledText(label, .dim), StyledText(text, style)]
        }
    }
}
#endif
