import WhirlCore

/// What a board remembers of tasks, and what it forgets.
extension Board.State {
    /// How many notes are kept at least.
    private static let notesKept = 200

    /// What is worth saying of a task, made into text when somebody looks: there may be thousands in a second.
    enum Note {
        case made(BoardNote)
        case started(Entry, elapsed: Double, again: Bool)
        case completed(Entry, elapsed: Double, received: Int64, took: Double?)

        var text: BoardNote {
            switch self {
            case .made(let note): note
            case .started(let entry, let elapsed, let again):
                BoardNote(elapsed: elapsed, kind: .started, name: entry.row.name, text: again ? "goes on" : "starts")
            case .completed(let entry, let elapsed, let received, let took):
                BoardNote(elapsed: elapsed, completed: entry.row.name, received, took: took)
            }
        }
    }

    mutating func note(_ note: Note) {
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
        switch event {
        case .attempt, .progress, .canceling: break
        case .resumed: note(.started(entry, elapsed: elapsed, again: entry.bare.attempt > 0))
        case .ended(.completed):
            note(.completed(entry, elapsed: elapsed, received: entry.bare.progress.received, took: duration))
        case .redirected, .suspended, .retrying, .restarted, .ended:
            if let made = BoardNote(event, entry.row, elapsed: elapsed) { note(.made(made)) }
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
        guard !failedKeys.isEmpty, !key.isEmpty, let id = failedKeys.removeValue(forKey: key), let slot = slots[id],
            let row = entries[slot]?.bare
        else { return }
        sums.created -= 1
        sums.failed -= 1
        sums.received &-= row.progress.received
        sums.expected &-= row.progress.received
        forget(slot)
    }

    private mutating func forget(_ slot: Int) {
        guard let entry = entries[slot] else { return }
        let group = entry.bare.group
        lanes[group.rawValue].remove(at: entry.place)
        slots[entry.bare.id] = nil
        entries[slot] = nil
        free.append(slot)
        if lanes[group.rawValue].isWasteful { compact(group) }
    }
}
