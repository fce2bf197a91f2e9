import WhirlCore

/// What a session's lock guards.
///
/// Nothing that calls out happens under it.
struct SessionState {
    /// A task that has not ended.
    ///
    /// A reference, so that a look costs no copy; it never leaves the lock.
    final class Entry {
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
            /// Runs, but waits before it is tried again; it has no slot.
            case backingOff(until: UInt64)
            /// All bytes are in hand; it has no slot. `isDecided`: too late to cancel it.
            case finishing(isDecided: Bool)
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
        /// What the file has that is there, when a newer one is asked for.
        var marks: FileMarks?
        /// The path that the server's name has given it.
        var place: String?
        /// The most bytes in hand when an attempt failed.
        var best: Int64 = 0
        /// It waits for a slot to be tried again, and runs all the while.
        var isRetrying = false
        var retries = RetryPolicy()
        /// Which of several URLs is tried; nil: there is one.
        var mirrors: Mirrors?
        /// Whose slots it takes: that of the URL to be tried next, as long as it has none.
        var host: String
        /// Why it is tried again.
        var lastError: TransferError?
        /// When its first attempt began.
        var firstAttempt: UInt64?
        /// Bytes in hand that came in this run.
        var moved: Int64 = 0

        var attempt: Attempt? {
            switch status {
            case .active(let attempt), .held(let attempt, _), .stopping(let attempt): attempt
            case .waiting, .starting, .backingOff, .finishing: nil
            }
        }

        /// Nil when there is nothing to say, or whoever is at work says so itself.
        var standing: Standing? {
            switch status {
            case .starting, .finishing, .backingOff: nil
            case .active: .running
            case .waiting where wantsToRun && isRetrying: nil
            case .waiting, .held, .stopping: wantsToRun ? .queued : .paused
            }
        }

        init(_ task: SessionTask, wantsToRun: Bool) {
            self.task = task
            self.wantsToRun = wantsToRun
            host = task.host
            if !task.mirrors.isEmpty { mirrors = Mirrors(count: 1 + task.mirrors.count) }
        }

        var hasSlot: Bool {
            switch status {
            case .starting, .active: true
            case .waiting, .held, .stopping, .backingOff, .finishing: false
            }
        }

        /// Whether it goes on when nothing more may start.
        var isUnderWay: Bool {
            switch status {
            case .starting, .active, .backingOff, .finishing: true
            case .waiting: isRetrying && wantsToRun
            case .held, .stopping: false
            }
        }
    }

    var queue: SlotQueue
    var entries: [TaskID: Entry] = [:]
    /// Tasks whose terminal event has not been delivered.
    var untold = 0
    /// Commands for tasks that frontends are being told of.
    var early: [TaskID: [RunCommand]] = [:]
    /// The tasks that were accepted.
    var accepted: ClosedRange<TaskID>?
    /// Whether what is accepted waits to be resumed.
    var startsPaused: Bool
    /// Nobody is accepted any more.
    var isOver = false
    /// Exchanges that have not ended.
    var live = 0
    /// Tasks that are given their files.
    var finishing = 0
    var summary = RunSummary()
    /// Tasks that failed, by the exit code they deserve, and the same for those that were cancelled.
    private var exits: [Int32: Int] = [:]
    /// The latest failures, which may be tried again.
    private(set) var failed: [TaskID: SessionTask] = [:]
    private var failedOrder = Line<TaskID>()
    var pacer: StartPacer
    var isPumpScheduled = false
    /// Requests so far.
    var requests = 0
    /// Folders with names that a loss of power could take.
    var unsynced: Set<String> = []

    var isPumping = false
    var isTicking = false
    var ticks = 0
    /// Why nothing more starts.
    var stop: Stop?
    /// A stuck exchange holds the end back no longer.
    var isPastGrace = false

    /// Why nothing more starts, and what becomes of those that have not.
    enum Stop {
        /// What is under way may end.
        case drain
        case cancelled(reason: String)
        case failed(TransferError)

        var outcome: TaskOutcome {
            switch self {
            case .drain: .cancelled(reason: "drain")
            case .cancelled(let reason): .cancelled(reason: reason)
            case .failed(let error): .failed(error)
            }
        }
    }

    /// Whether a task that waits for a slot may still have one.
    func mayStart(_ entry: Entry) -> Bool {
        switch stop {
        case nil: true
        case .drain: entry.hasBegun
        case .cancelled, .failed: false
        }
    }

    /// Who waits until nothing more is accepted.
    var closingWaiters: [CheckedContinuation<Void, Never>] = []
    /// Who waits until more tasks may be added.
    var roomWaiters: [CheckedContinuation<Void, Never>] = []
    /// Who waits until every task has ended and every exchange is over.
    var idleWaiter: CheckedContinuation<Void, Never>?

    init(_ configuration: SessionConfiguration) {
        queue = SlotQueue(jobs: configuration.jobs, perHost: configuration.jobsPerHost)
        pacer = StartPacer(rate: configuration.startRate)
        startsPaused = configuration.startsPaused
    }

    /// Connections kept in pauses.
    private(set) var held = 0
    /// Tasks that wait before they are tried again.
    private(set) var backingOff = 0

    /// Every change of a status, so that some can be counted.
    mutating func set(_ status: Entry.Status, of id: TaskID) {
        guard let entry = entries[id] else { return }
        set(status, of: entry)
    }

    mutating func set(_ status: Entry.Status, of entry: Entry) {
        count(entry.status, by: -1)
        count(status, by: 1)
        entry.status = status
    }

    private mutating func count(_ status: Entry.Status, by one: Int) {
        switch status {
        case .held: held += one
        case .backingOff: backingOff += one
        case .waiting, .starting, .active, .stopping, .finishing: break
        }
    }

    /// What a task that has been taken out leaves to be put away.
    struct Remains {
        let task: SessionTask
        let attempt: Attempt?
        let sink: (any ByteSink)?
        /// Whoever finishes it closes the file.
        let isFinishing: Bool
    }

    /// Takes a task out that has ended, and its slot back.
    mutating func remove(_ id: TaskID) -> Remains? {
        guard let entry = entries.removeValue(forKey: id) else { return nil }
        release(entry)
        count(entry.status, by: -1)
        let isFinishing = if case .finishing = entry.status { true } else { false }
        return Remains(task: entry.task, attempt: entry.attempt, sink: entry.sink, isFinishing: isFinishing)
    }

    mutating func enqueue(_ entry: Entry, first: Bool) {
        guard !entry.isEnqueued else { return }
        entry.isEnqueued = true
        queue.enqueue(entry.task.id, host: entry.host, first: first)
    }

    /// Gives the task's slot back, if it has one.
    mutating func release(_ entry: Entry) {
        if entry.hasSlot { queue.release(host: entry.host) }
    }

    /// Counts one task that ended.
    mutating func count(_ outcome: TaskOutcome) {
        switch outcome {
        case .completed: summary.completed += 1
        case .skipped: summary.skipped += 1
        case .failed(let error):
            summary.failed += 1
            exits[error.code.exit, default: 0] += 1
        case .cancelled:
            summary.cancelled += 1
            exits[TransferError.Code.cancelled.exit, default: 0] += 1
        }
    }

    /// Of all tasks that have ended, and have not been tried again.
    var exit: Int32 { exits.filter { $0.value > 0 }.keys.reduce(0, ExitCode.worse) }

    /// So many failures can be tried again.
    private static let failuresKept = 10_000

    mutating func keepFailure(_ task: SessionTask) {
        failed[task.id] = task
        failedOrder.append(task.id)
        if failed.count > Self.failuresKept, let oldest = failedOrder.popFirst() { failed[oldest] = nil }
    }

    mutating func forgetFailures() {
        failed = [:]
        failedOrder = Line()
    }

    /// A task that failed is tried again: its failure counts no longer.
    mutating func takeFailure(_ id: TaskID) -> SessionTask? {
        let task = failed.removeValue(forKey: id)
        guard let task, let error = task.core.snapshot.outcome?.error else { return nil }
        summary.failed -= 1
        exits[error.code.exit, default: 0] -= 1
        return task
    }
}

extension TaskOutcome {
    /// Of a failure.
    var error: TransferError? { if case .failed(let error) = self { error } else { nil } }
}

/// The order of exit codes: never dependent on the order of tasks.
public enum ExitCode {
    private static let worstFirst: [Int32] = [70, 4, 3, 2, 1, 5, 0]

    /// The one that a run with both deserves.
    public static func worse(_ one: Int32, _ other: Int32) -> Int32 {
        worstFirst.first { $0 == one || $0 == other } ?? max(one, other)
    }
}
