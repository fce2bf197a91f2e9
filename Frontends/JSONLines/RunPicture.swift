import WhirlCore

/// What there is to know of a run for one who comes late: the tasks that have not ended, as they are now.
struct RunPicture {
    private struct Entry {
        let description: TaskDescription
        var snapshot = TaskSnapshot()
        var hasNews = false
    }
    private var run: RunDescription?
    private var entries: [TaskID: Entry] = [:]
    /// Some of them have made progress that was not taken.
    private(set) var hasNews = false

    /// True for a record that is more than another phase or more bytes.
    mutating func take(_ record: RunRecord) -> Bool {
        switch record.event {
        case .run(let run): self.run = run
        case .created(let id, let description): entries[id] = Entry(description: description)
        case .task(let id, let update):
            if update.isTerminal {
                entries[id] = nil
            } else {
                entries[id]?.snapshot = update.snapshot
            }
            if update.event == .progress || update.event == .canceling {
                entries[id]?.hasNews = true
                hasNews = true
                return false
            }
        case .planned, .warning, .answer, .end: break
        }
        return true
    }

    /// Tasks with news, each once.
    mutating func takeNews() -> [(id: TaskID, snapshot: TaskSnapshot)] {
        hasNews = false
        var news: [(TaskID, TaskSnapshot)] = []
        for (id, entry) in entries where entry.hasNews {
            news.append((id, entry.snapshot))
            entries[id]?.hasNews = false
        }
        return news
    }

    /// The task is to be told of again.
    mutating func keepNews(of id: TaskID) {
        guard entries[id] != nil else { return }
        entries[id]?.hasNews = true
        hasNews = true
    }

    /// Tells it all.
    func tell(to stream: inout RecordStream, at moment: Moment, _ now: UInt64) {
        func record(_ event: RunEvent) -> RunRecord {
            RunRecord(elapsed: moment.elapsed, time: moment.time, event: event)
        }
        if let run { stream.put(record(.run(run)), at: now) }
        for (id, entry) in entries.sorted(by: { $0.key < $1.key }) {
            stream.put(record(.created(id, entry.description)), at: now)
            stream.catchUp(id, with: entry.snapshot, at: now)
        }
    }
}
