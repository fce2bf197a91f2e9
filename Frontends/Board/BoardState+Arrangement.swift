import WhirlCore

extension Board.State {
    /// Rows as somebody asked for them: which slots, in what order.
    struct Arrangement {
        let query: RowQuery
        let at: UInt64
        let slots: [Int]
        /// Rows that move about more often than this, in seconds, can't be read.
        static let age = 1.0
    }

    /// The slots that a query finds, in its order: found anew for another query, and once a second.
    mutating func arranged(_ query: RowQuery, at now: UInt64) -> [Int] {
        if let arrangement, arrangement.query == query, seconds(from: arrangement.at, to: now) < Arrangement.age {
            return arrangement.slots
        }
        let found = found(query)
        let slots =
            switch query.order {
            case .state: found
            case .name: sorted(found, at: now) { board, slot, _ in board.entries[slot]?.row.name ?? "" }
            case .speed:
                sorted(found, at: now) { board, slot, now in -(board.entries[slot]?.meter?.speed(at: now) ?? 0) }
            case .size:
                sorted(found, at: now) { board, slot, _ in
                    -(board.entries[slot].map { $0.bare.progress.total ?? $0.bare.progress.received } ?? 0)
                }
            }
        arrangement = Arrangement(query: query, at: now, slots: slots)
        return slots
    }

    /// In the order of the groups.
    private mutating func found(_ query: RowQuery) -> [Int] {
        var found: [Int] = []
        for group in RowGroup.allCases {
            if lanes[group.rawValue].hasHoles { compact(group) }
            let lane = lanes[group.rawValue]
            for index in 0..<lane.count {
                let slot = lane.slot(group == .done ? lane.count - 1 - index : index)
                if let row = entries[slot]?.row, query.admits(row) { found.append(slot) }
            }
        }
        return found
    }

    /// Rows with equal keys stay in the order of the groups.
    private mutating func sorted<Key: Comparable>(
        _ slots: [Int], at now: UInt64, by key: (inout Board.State, Int, UInt64) -> Key
    ) -> [Int] {
        var keyed: [(key: Key, place: Int)] = []
        keyed.reserveCapacity(slots.count)
        for (place, slot) in slots.enumerated() { keyed.append((key(&self, slot, now), place)) }
        keyed.sort { $0.key != $1.key ? $0.key < $1.key : $0.place < $1.place }
        return keyed.map { slots[$0.place] }
    }
}
