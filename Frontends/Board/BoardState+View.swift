import WhirlCore

extension Board.State {
    mutating func view(_ query: RowQuery, from: Int, count: Int, at now: UInt64) -> BoardView {
        let (rows, all) = query.isPlain ? rows(from: from, count: count, at: now) : rows(query, from, count, at: now)
        return BoardView(
            rows: rows, count: all, totals: totals(at: now), jobs: jobs, generation: generation, warning: warning)
    }

    private mutating func rows(_ query: RowQuery, _ from: Int, _ count: Int, at now: UInt64) -> ([Row], Int) {
        let slots = arranged(query, at: now)
        let rows = slots.dropFirst(max(0, from)).prefix(max(0, count)).compactMap {
            entries[$0].map { row($0, at: now) }
        }
        return (rows, slots.count)
    }

    private mutating func rows(from: Int, count: Int, at now: UInt64) -> ([Row], Int) {
        var rows: [Row] = []
        var skip = max(0, from)
        for group in RowGroup.allCases where rows.count < count {
            let live = lanes[group.rawValue].count
            guard skip < live else {
                skip -= live
                continue
            }
            append(group, from: skip, to: min(live, skip + count - rows.count), &rows, at: now)
            skip = 0
        }
        return (rows, lanes.reduce(0) { $0 + $1.count })
    }

    /// The newest last.
    mutating func newestFailures(_ count: Int, at now: UInt64) -> [Row] {
        let all = lanes[RowGroup.failed.rawValue].count
        var rows: [Row] = []
        append(.failed, from: max(0, all - max(0, count)), to: all, &rows, at: now)
        return rows
    }

    func history(of id: TaskID, at now: UInt64) -> TaskHistory? {
        slots[id].flatMap { entries[$0]?.history }?.seen(at: now)
    }

    mutating func ids(in groups: [RowGroup]) -> [TaskID] {
        var ids: [TaskID] = []
        for group in groups {
            if lanes[group.rawValue].hasHoles { compact(group) }
            let lane = lanes[group.rawValue]
            for index in 0..<lane.count {
                if let id = entries[lane.slot(index)]?.bare.id { ids.append(id) }
            }
        }
        return ids
    }

    mutating func rows(
        of group: RowGroup, at now: UInt64, where isWanted: (Entry) -> Bool = { _ in true }
    ) -> [Row] {
        var rows: [Row] = []
        append(group, from: 0, to: lanes[group.rawValue].count, &rows, at: now, where: isWanted)
        return rows
    }

    func row(_ id: TaskID, at now: UInt64) -> Row? {
        slots[id].flatMap { entries[$0] }.map { row($0, at: now) }
    }

    private mutating func append(
        _ group: RowGroup, from: Int, to: Int, _ rows: inout [Row], at now: UInt64,
        where isWanted: (Entry) -> Bool = { _ in true }
    ) {
        if lanes[group.rawValue].hasHoles { compact(group) }
        let last = lanes[group.rawValue].count - 1
        for index in from..<max(from, to) {
            let slot = lanes[group.rawValue].slot(group == .done ? last - index : index)
            if let entry = entries[slot], isWanted(entry) { rows.append(row(entry, at: now)) }
        }
    }

    /// The row with all that depends on the time.
    private func row(_ entry: Entry, at now: UInt64) -> Row {
        var row = entry.row
        row.isAnimating = handles[row.id]?.isAnimating ?? false
        if let started = entry.started { row.duration = seconds(from: started, to: entry.ended ?? now) }
        if let next = entry.nextAttempt { row.delay = seconds(from: now, to: next) }
        if row.group == .active, let meter = entry.meter {
            row.speed = meter.speed(at: now)
            let left = row.progress.total.map { $0 - row.progress.received }
            row.remaining = meter.remaining(left, at: now)
        }
        return row
    }

    mutating func totals(at now: UInt64) -> Totals {
        var totals = sums
        totals.elapsed = took ?? seconds(from: began, to: now)
        guard took == nil, totals.ended < totals.created else { return totals }
        totals.speed = meter.speed(at: now)
        // With all of them paused nobody can tell.
        totals.remaining = totals.active > 0 ? meter.remaining(left(of: totals), at: now) : nil
        return totals
    }

    /// Bytes that are still to come, the unknown sizes taken to be like the known; nil when none is known.
    private func left(of totals: Totals) -> Int64? {
        let sized = totals.created - totals.unsized
        guard sized > 0 else { return nil }
        let mean = Double(totals.expected) / Double(sized)
        let left = Double(totals.expected &- totals.received) + mean * Double(totals.unsized)
        return Int64(exactly: left.rounded()) ?? .max
    }
}
