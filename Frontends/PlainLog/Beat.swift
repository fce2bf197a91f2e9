import WhirlBoard

/// When the log has been silent for too long: after 10 s, then 20, 40, and 60 s again and again.
struct Beat {
    private static let longest = 60.0
    private var silence = 10.0
    private var lastLine: UInt64
    /// What ended without a line of its own since the last beat.
    private var unsaid: [String: Int] = [:]

    init(at now: UInt64) { lastLine = now }

    /// Any line ends the silence, but brings no shorter one.
    mutating func noteLine(at now: UInt64) { lastLine = max(lastLine, now) }

    mutating func noteUnsaid(_ word: String, _ count: Int) { unsaid[word, default: 0] += count }

    /// The line that is due now, if one is.
    mutating func line(_ totals: Totals, at now: UInt64) -> LogLine? {
        guard seconds(from: lastLine, to: now) >= silence else { return nil }
        silence = min(silence * 2, Self.longest)
        var line = LogLine(event: "beat")
        line.facts = ["\(totals.ended)/\(totals.created)"]
        for (word, count) in unsaid.sorted(by: { $0.key < $1.key }) { line.fields.append((word, "+\(count)")) }
        if totals.failed > 0 { line.fields.append(("failed", "\(totals.failed)")) }
        line.fields += [
            ("active", "\(totals.active)"), ("bytes", Units.bytes(totals.bytes)), ("speed", Units.rate(totals.speed)),
            ("eta", Units.remaining(totals.remaining)),
        ]
        unsaid = [:]
        return line
    }
}
