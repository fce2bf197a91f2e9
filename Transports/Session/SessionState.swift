import WhirlCore

/// What a session's lock guards.
///
/// Nothing that calls out happens under it.
struct SessionState {
    /// A task that has not ended.
    struct Entry {
        enum Status {
            /// In the queue, or out of it because nobody wants it to run.
            case waiting
            /// Has a slot, and its first exchange is being made.
            case starting
            /// Has a slot.
            case active(Attempt)
            /// Paused, with its connection kept.
            case held(Attempt, since: UInt64)
            /// Paused; its exchange is about to end.
            case stopping(Attempt)
        }
        /// What the task's state and phase have to say.
        enum Standing { case running, queued, paused }

        let task: SessionTask
        var status = Status.waiting
        var wantsToRun: Bool
        var isEnqueued = false
        /// It has had a slot: frontends follow it.
        var isFollowed = false
        /// It has made an exchange: another one continues.
        var hasBegun = false
        var point: ResumePoint?
        var sink: (any ByteSink)?

        var attempt: Attempt? {
            switch status {
            case .active(let attempt), .held(let attempt, _), .stopping(let attempt): attempt
            case .waiting, .starting: nil
            }
        }

        /// Nil while its first exchange is being made: whoever does that says so itself.
        var standing: Standing? {
            switch status {
            case .starting: nil
            case .active: .running
            case .waiting, .held, .stopping: wantsToRun ? .queued : .paused
            }
        }

        var hasSlot: Bool {
            switch status {
            case .starting, .active: true
            case .waiting, .held, .stopping: false
            }
        }
    }

    var queue: SlotQueue
    var claims = Claims()
    var entries: [TaskID: Entry] = [:]
    /// Of tasks whose terminal event has not been delivered.
    var observations: [TaskID: Observation] = [:]
    /// Exchanges that have not ended.
    var live = 0
    var summary = RunSummary()

    var isPumping = false
    var mustPumpAgain = false
    var isTicking = false
    var ticks = 0
    var quitReason: String?
    /// A stuck exchange holds the end back no longer.
    var isPastGrace = false

    /// Who waits until more tasks may be added.
    var roomWaiters: [CheckedContinuation<Void, Never>] = []
    /// Who waits until every task has ended and every exchange is over.
    var idleWaiter: CheckedContinuation<Void, Never>?

    init(_ configuration: SessionConfiguration) {
        queue = SlotQueue(jobs: configuration.jobs, perHost: configuration.jobsPerHost)
    }

    /// Connections kept in pauses.
    private(set) var held = 0

    /// Every change of a status, so that the kept connections are counted.
    mutating func set(_ status: Entry.Status, of id: TaskID) {
        guard let entry = entries[id] else { return }
        if case .held = entry.status { held -= 1 }
        if case .held = status { held += 1 }
        entries[id]?.status = status
    }

    /// Takes a task out that has ended, and its slot back.
    mutating func remove(_ id: TaskID) -> Entry? {
        release(id)
        if case .held = entries[id]?.status { held -= 1 }
        return entries.removeValue(forKey: id)
    }

    mutating func enqueue(_ id: TaskID, first: Bool) {
        guard let entry = entries[id], !entry.isEnqueued else { return }
        entries[id]?.isEnqueued = true
        queue.enqueue(id, host: entry.task.host, first: first)
    }

    /// Gives the task's slot back, if it has one.
    mutating func release(_ id: TaskID) {
        guard let entry = entries[id], entry.hasSlot else { return }
        queue.release(host: entry.task.host)
    }

    /// Counts one task that ended.
    mutating func count(_ outcome: TaskOutcome) {
        var exit: Int32 = 0
        switch outcome {
        case .completed: summary.completed += 1
        case .skipped: summary.skipped += 1
        case .failed(let error):
            summary.failed += 1
            exit = error.code.exit
        case .cancelled:
            summary.cancelled += 1
            exit = TransferError.Code.cancelled.exit
        }
        summary.exit = ExitCode.worse(summary.exit, exit)
    }
}

/// The order of exit codes: never dependent on the order of tasks.
public enum ExitCode {
    private static let worstFirst: [Int32] = [70, 4, 3, 2, 1, 5, 0]

    /// The one that a run with both deserves.
    public static func worse(_ one: Int32, _ other: Int32) -> Int32 {
        worstFirst.first { $0 == one || $0 == other } ?? max(one, other)
    }
}
