import WhirlCore

/// What a board remembers of tasks, and what it forgets.
extension Board.State {
    /// How many notes are kept at least.
    private static let notesKept = 200

    mutating func note(_ note: BoardNote) {
        // Makes room rarely, so that a note costs nothing much.
        if notes.count == 2 * Self.notesKept { notes.removeFirst(Self.notesKept) }
        notes.append(note)
    }

    /// What a lifecycle event adds to the task's history and to the notes.
    mutating func remember(_ update: TaskUpdate, _ entry: Entry, elapsed: Double, at now: UInt64) {
        guard let event = update.event else { return }
        if event == .attempt, entry.history == nil { entry.history = TaskHistory() }
        entry.history?.note(event, update.snapshot, elapsed: elapsed, at: now)
        let duration = entry.started.map { seconds(from: $0, to: now) }
        if let note = BoardNote(event, entry.row, took: duration, elapsed: elapsed) { self.note(note) }
        if case .ended(.failed(let error)) = event, !entry.key.isEmpty, error.code != .usage {
            failedKeys[entry.key] = entry.row.id
        }
    }

    /// What the server said last of a task that has ended.
    mutating func keep(_ answer: ResponseHead, of id: TaskID) {
        if let slot = slots[id] { entries[slot]?.history?.head = answer }
    }

    /// Lets the oldest done row go when there are too many.
    mutating func forgetOld() {
        let done = RowGroup.done.rawValue
        guard lanes[done].count > kept, let slot = lanes[done].first else { return }
        forget(slot)
    }

    /// What failed is done once more as a new task: the failure counts no longer.
    mutating func forgetFailure(of key: String) {
        guard !key.isEmpty, let id = failedKeys.removeValue(forKey: key), let slot = slots[id],
            let row = entries[slot]?.row
        else { return }
        sums.created -= 1
        sums.failed -= 1
        sums.received &-= row.progress.received
        sums.expected &-= row.progress.received
        forget(slot)
    }

    private mutating func forget(_ slot: Int) {
        guard let entry = entries[slot] else { return }
        let group = entry.row.group
        lanes[group.rawValue].remove(at: entry.place)
        slots[entry.row.id] = nil
        entries[slot] = nil
        free.append(slot)
        if lanes[group.rawValue].isWasteful { compact(group) }
    }
}
