import WhirlCore

/// Watches one observation and judges it: snapshot first, no gap, no repeat, no overlap, one terminal update, last.
final class Witness: Sendable {
    let updates = Record<TaskUpdate>()
    private let inside = Counter()
    private let overlaps = Counter()

    func note(_ update: TaskUpdate) {
        if inside.up() > 1 { overlaps.up() }
        updates.append(update)
        inside.down()
    }

    /// Returns when the terminal update is there.
    func end() async { await updates.wait { $0.last?.isTerminal == true } }

    var last: TaskSnapshot? { updates.last?.snapshot }

    /// What was wrong, in words; empty when nothing was.
    var faults: [String] {
        let all = updates.all
        var faults = overlaps.value > 0 ? ["\(overlaps.value) calls overlapped"] : []
        guard let first = all.first, first.event == nil else { return faults + ["no snapshot first"] }
        for (before, now) in zip(all, all.dropFirst()) { faults += Self.faults(before, now) }
        return faults
    }

    private static func faults(_ before: TaskUpdate, _ now: TaskUpdate) -> [String] {
        var faults: [String] = []
        if before.isTerminal { faults.append("after the end: \(now)") }
        switch now.event {
        case nil: faults.append("a second snapshot")
        case .progress where now.snapshot.ordinal != before.snapshot.ordinal:
            faults.append("progress with a gap: \(now)")
        case .progress where now.snapshot.progress.received < before.snapshot.progress.received:
            faults.append("progress falls: \(now)")
        case .progress: break
        case .resumed where now.snapshot.state != .running: faults.append("resumed, but not running: \(now)")
        default:
            if now.snapshot.ordinal != before.snapshot.ordinal + 1 { faults.append("a gap: \(now)") }
        }
        return faults
    }
}
