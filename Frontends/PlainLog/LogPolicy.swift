import WhirlBoard
import WhirlCore

/// What of a run becomes a line: never a flood, never a silence.
///
/// Pure, over the times it is given.
struct LogPolicy {
    /// Seconds that a task runs before its progress is worth a line.
    private static let slow = 30.0

    let isQuiet: Bool
    private var heldBack = 0
    private var bucket: TokenBucket
    private var beat: Beat
    private var failures = FailureGroups()
    private var told: [TaskID: (at: UInt64, fraction: Double)] = [:]

    /// 50 lines at most at once, of which the summary may need some.
    init(isQuiet: Bool = false, at now: UInt64) {
        self.isQuiet = isQuiet
        bucket = TokenBucket(burst: 40, perSecond: 5, at: now)
        beat = Beat(at: now)
    }

    // MARK: events

    /// The lines for something of interest that happened; `row` is the task's, right after it.
    mutating func note(_ event: RunEvent, _ row: Row?, at now: UInt64) -> [LogLine] {
        switch event {
        case .run:
            beat = Beat(at: now)
            return []
        case .warning(let text):
            let line = LogLine(level: .warn, event: "warn", facts: [clean(text)])
            return isQuiet ? [] : print([line], at: now)
        case .task(_, let update):
            guard let row, let event = update.event else { return [] }
            if event == .attempt, let url = update.snapshot.url {
                return offer(LogLine("mirror", row, fields: [("url", clean(url))]), at: now)
            }
            return note(event, row, at: now)
        case .created, .answer, .planned, .end: return []
        }
    }

    /// The next beat counts so many under that word.
    mutating func noteUnsaid(_ word: String, _ count: Int) { beat.noteUnsaid(word, count) }

    private mutating func note(_ event: TaskEvent, _ row: Row, at now: UInt64) -> [LogLine] {
        switch event {
        case .resumed: return offer(LogLine("start", row, fields: [("url", row.url)]), at: now)
        case .retrying(let delay, let error):
            let cause = clean(error.message)
            let fields = [("try", "\(row.attempt)"), ("cause", cause), ("delay", Units.duration(delay))]
            return offer(LogLine("retry", level: .warn, row, fields: fields), at: now)
        case .restarted(let reason):
            return offer(LogLine("retry", level: .warn, row, fields: [("restarted", clean(reason))]), at: now)
        case .ended(let outcome): return note(outcome, row, at: now)
        case .attempt, .redirected, .progress, .suspended, .canceling: return []
        }
    }

    private mutating func note(_ outcome: TaskOutcome, _ row: Row, at now: UInt64) -> [LogLine] {
        switch outcome {
        case .completed:
            let duration = row.duration ?? 0
            let speed = duration > 0 ? Double(row.progress.received) / duration : 0
            let facts = [Units.bytes(row.progress.received), Units.rate(speed), Units.duration(duration)]
            return offer(LogLine("done", row, facts: facts), at: now)
        case .skipped(let reason): return offer(LogLine("skip", row, fields: [("reason", clean(reason))]), at: now)
        case .cancelled("broken_pipe"): return []  // as other programs of a pipeline: without a word
        case .cancelled(let reason): return offer(LogLine("cancel", row, fields: [("reason", clean(reason))]), at: now)
        case .failed:
            var (isNamed, lines) = failures.note(row, at: now)
            if isNamed {
                var fields = [("cause", row.cause), ("url", row.url)]
                if row.attempt > 1 { fields.insert(("tries", "\(row.attempt)"), at: 1) }
                lines.append(LogLine("failed", level: .error, row, fields: fields))
            }
            return print(lines, at: now)
        }
    }

    // MARK: time

    /// The lines that are due because time has passed; `active` are the rows of the tasks that run.
    mutating func tick(_ totals: Totals, active: [Row], at now: UInt64) -> [LogLine] {
        var lines = print(failures.flush(at: now), at: now)
        guard !isQuiet else { return lines }
        var kept: [TaskID: (at: UInt64, fraction: Double)] = [:]
        for row in active {
            let last = told[row.id] ?? (now, 0)
            kept[row.id] = last
            guard isDue(row, since: last, at: now) else { continue }
            kept[row.id] = (now, row.progress.fraction ?? 0)
            lines += offer(LogLine("beat", row, facts: row.position), at: now)
        }
        told = kept
        if let line = beat.line(totals, at: now) { lines += offer(line, at: now) }
        return lines
    }

    private func isDue(_ row: Row, since last: (at: UInt64, fraction: Double), at now: UInt64) -> Bool {
        guard (row.duration ?? 0) >= Self.slow else { return false }
        let silence = seconds(from: last.at, to: now)
        let gain = (row.progress.fraction ?? 0) - last.fraction
        return silence >= 60 || silence >= 10 && gain >= 0.1
    }

    /// The lines that are still owed at the end.
    mutating func finish(at now: UInt64) -> [LogLine] {
        var lines = print(failures.flush(all: true, at: now), at: now)
        if heldBack > 0, !isQuiet { lines += print([LogLine(event: "beat")], at: now) }
        return lines
    }

    // MARK: lines

    /// A line that may be held back.
    private mutating func offer(_ line: LogLine, at now: UInt64) -> [LogLine] {
        guard !isQuiet else { return [] }
        guard bucket.take(at: now) else {
            heldBack += 1
            return []
        }
        return print([line], at: now)
    }

    /// Lines that are printed whatever happens; the first tells how many were not.
    private mutating func print(_ lines: [LogLine], at now: UInt64) -> [LogLine] {
        guard var first = lines.first else { return [] }
        beat.noteLine(at: now)
        if heldBack > 0 {
            first.note = "(\(heldBack) lines held back)"
            heldBack = 0
        }
        return [first] + lines.dropFirst()
    }
}

extension LogLine {
    fileprivate init(
        _ event: String, level: Level = .info, _ row: Row, facts: [String] = [],
        fields: [(key: String, value: String)] = []
    ) {
        self.init(level: level, event: event, task: row.id, name: row.name, facts: facts, fields: fields)
    }
}

extension Row {
    /// How far it is.
    fileprivate var position: [String] {
        let size = progress.total.map { Units.bytes(progress.received) + "/" + Units.bytes($0) }
        return [
            Units.percent(progress.fraction), size ?? Units.bytes(progress.received), Units.rate(speed),
            Units.remaining(remaining),
        ]
    }
}
