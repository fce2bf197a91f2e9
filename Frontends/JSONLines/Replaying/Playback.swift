import Synchronization
public import WhirlCore

/// Plays a recorded stream to whoever shows a run: each of its tasks is one again, over Core, that indicators follow.
///
/// - What comes out is a whole run: `run` first, each task with one terminal event, `end` last; of a stream that breaks
///   off, what was under way is `abandoned`.
/// - Several runs in a row, in one stream or more, are one: their tasks keep apart, their sums add.
/// - What is wrong with the stream is told as warnings.
public struct Playback {
    private struct Entry {
        let task: ReplayedTask
        let observation: Observation
        /// Whether frontends follow it.
        var isFollowed = false
        /// Up to where bytes of the attempt are counted.
        var counted: Int64 = 0
    }
    private let follow: @Sendable (any TransferTask) -> Void
    private let receive: @Sendable (RunRecord) -> Void
    private let now = Now()
    private var isRunning = false
    /// The run under way has not told its `end`.
    private var isOpen = false
    private var part = 0
    /// What is added to the names of tasks, and to moments, of this part.
    private var base: (task: UInt64, elapsed: Double) = (0, 0)
    private var largest: UInt64 = 0
    private var entries: [TaskID: Entry] = [:]
    /// Of the runs that have told their `end`.
    private var told = RunSummary()
    /// Of the run under way, as far as its records go.
    private var seen = RunSummary()
    private var flaws = Flaws()
    /// What there was to say before the run began.
    private var early: [String] = []

    /// A playback to `receive`; `follow` is given each task before it runs.
    ///
    /// Both are called on the thread that plays.
    public init(
        follow: @escaping @Sendable (any TransferTask) -> Void, receive: @escaping @Sendable (RunRecord) -> Void
    ) {
        self.follow = follow
        self.receive = receive
    }

    /// Seconds from the playback's beginning at which the record is due, never earlier than the one before.
    public func due(_ record: StreamRecord) -> Double {
        let longest = 1e9
        var base = base.elapsed
        if case .run = record.event, isRunning { base = now.moment.elapsed }
        guard let elapsed = record.elapsed else { return now.moment.elapsed }
        return max(now.moment.elapsed, min(base + max(0, min(elapsed, longest)), longest))
    }

    // MARK: records

    /// Plays what comes next.
    public mutating func play(_ item: RecordReader.Item) {
        switch item {
        case .record(let record): play(record)
        case .broken(let line, let reason): flaws.note(line, reason)
        case .torn: flaws.isTorn = true
        }
    }

    private mutating func play(_ record: StreamRecord) {
        let due = due(record)
        if case .run = record.event, isRunning { beginPart() }
        now.pass(to: due, record.time)
        if let sequence = record.sequence { flaws.note(sequence) }
        switch record.event {
        case .run(let description, let minor):
            isOpen = true
            if !isRunning { begin(description) }
            if minor > 0 {
                warn(
                    "the stream is of a newer whirl (schema whirl/1.\(minor)): what this one does not know is left out")
            }
        case .created(let id, let description): create(id, description)
        case .warning(let text): warn(text)
        case .lost(let count) where count > 0: warn("\(count) records are missing here: they could not be written")
        case .end(let summary): if isOpen { settle(summary) }
        case .lost, .other: break
        default: play(record.event)
        }
    }

    private mutating func begin(_ description: RunDescription) {
        isRunning = true
        emit(.run(description))
        for sentence in early { warn(sentence) }
        early = []
    }

    private mutating func beginPart() {
        settle(nil)
        part += 1
        base = (largest, now.moment.elapsed)
        flaws.beginPart()
    }

    /// The run under way is over: by its `end`, or without one.
    private mutating func settle(_ summary: RunSummary?, reason: String = "abandoned") {
        for id in entries.keys.sorted() { end(id, .cancelled(reason: reason)) }
        guard isOpen else { return }
        told = told.adding(summary ?? seen)
        (isOpen, seen) = (false, RunSummary())
    }

    /// The stream is over: tells what was wrong with it, and returns that, a sentence each.
    ///
    /// Another may follow.
    @discardableResult
    public mutating func endStream() -> [String] {
        if isOpen { flaws.unfinished = entries.count }
        settle(nil)
        let sentences = flaws.sentences
        for sentence in sentences { warn(sentence) }
        flaws = Flaws()
        return sentences
    }

    /// Ends the run; with a reason before its time: then that is why tasks end that are under way.
    ///
    /// `elapsed` is how many seconds it took, and `exit` its code, when they are others than the recorded ones.
    public mutating func finish(early reason: String? = nil, elapsed: Double? = nil, exit: Int32? = nil) {
        guard isRunning else { return }
        if let reason { settle(nil, reason: reason) } else { endStream() }
        if let elapsed { now.set(elapsed) }
        told.exit = exit ?? told.exit
        emit(.end(told))
        isRunning = false
    }

    // MARK: tasks

    private mutating func create(_ recorded: TaskID, _ description: TaskDescription) {
        let id = TaskID(number: recorded.number &+ base.task)
        guard entries[id] == nil else { return flaws.strays += 1 }
        largest = max(largest, id.number)
        var description = description
        // The same work in another part is another task.
        if part > 0, !description.key.isEmpty { description.key = "\(part)/\(description.key)" }
        emit(.created(id, description))
        let task = ReplayedTask(id)
        let observation = task.life.observe { [receive, now] update in
            guard update.event != nil else { return }
            let moment = now.moment
            receive(RunRecord(elapsed: moment.elapsed, time: moment.time, event: .task(id, update)))
        }
        entries[id] = Entry(task: task, observation: observation)
    }

    private mutating func play(_ event: StreamEvent) {
        guard let recorded = event.task else { return }
        let id = TaskID(number: recorded.number &+ base.task)
        guard var entry = entries[id] else { return flaws.strays += 1 }
        let core = entry.task.core
        if event.runs, !entry.isFollowed {
            entry.isFollowed = true
            follow(entry.task)
            core.resume()
        }
        switch event {
        case .resumed: core.resume()
        case .attempt(_, _, let offset):
            core.beginAttempt(offset: offset)
            entry.counted = core.snapshot.progress.received
        case .redirected(_, let status, let url): core.redirect(status: status, url: url)
        case .progress(_, let received, let total, let phase):
            core.report(received: received, total: total, phase: phase)
        case .suspended(_, let received, let reason):
            report(core, received, core.snapshot.progress.total)
            core.suspend(reason: reason)
        case .retrying(_, let delay, let error): core.retry(after: delay, error: error)
        case .restarted(_, let offset, let reason):
            core.restart(reason: reason, offset: offset)
            entry.counted = offset
        case .ended(_, let outcome, let received, let total):
            if let received { report(core, received, total ?? core.snapshot.progress.total) }
            entries[id] = entry
            return end(id, outcome)
        default: break
        }
        count(&entry)
        entries[id] = entry
    }

    private func report(_ core: TaskCore, _ received: Int64, _ total: Int64?) {
        core.report(received: received, total: total, phase: core.snapshot.phase)
    }

    private mutating func count(_ entry: inout Entry) {
        let received = entry.task.core.snapshot.progress.received
        seen.bytes &+= max(0, received - entry.counted)
        entry.counted = max(entry.counted, received)
    }

    private mutating func end(_ id: TaskID, _ outcome: TaskOutcome) {
        guard var entry = entries.removeValue(forKey: id) else { return }
        count(&entry)
        switch outcome {
        case .completed: seen.completed += 1
        case .failed: seen.failed += 1
        case .cancelled: seen.cancelled += 1
        case .skipped: seen.skipped += 1
        }
        entry.task.core.end(outcome)
        withExtendedLifetime(entry.observation) {}
    }

    // MARK: out

    private func emit(_ event: RunEvent) {
        let moment = now.moment
        receive(RunRecord(elapsed: moment.elapsed, time: moment.time, event: event))
    }

    private mutating func warn(_ text: String) { if isRunning { emit(.warning(text)) } else { early.append(text) } }
}

extension RunSummary {
    /// The sums of both, and the exit code of the later.
    ///
    /// Numbers come from outside: an overflow is no reason to end.
    fileprivate func adding(_ later: RunSummary) -> RunSummary {
        var sum = later
        sum.completed &+= completed
        sum.failed &+= failed
        sum.cancelled &+= cancelled
        sum.skipped &+= skipped
        sum.bytes &+= bytes
        sum.wasted &+= wasted
        return sum
    }
}

/// The moment that is being played, shared with those who observe its tasks.
private final class Now: Sendable {
    private let shared = Mutex(Moment(elapsed: 0, time: 0))

    var moment: Moment { shared.withLock { $0 } }

    func pass(to elapsed: Double, _ time: Int64?) {
        shared.withLock { moment in
            moment.time = time ?? moment.time + Int64((elapsed - moment.elapsed) * 1e6)
            moment.elapsed = elapsed
        }
    }

    func set(_ elapsed: Double) { shared.withLock { $0.elapsed = elapsed } }
}

extension StreamEvent {
    /// The task it is about; nil for what is about the run.
    var task: TaskID? {
        switch self {
        case .created(let id, _), .resumed(let id), .attempt(let id, _, _), .redirected(let id, _, _),
            .progress(let id, _, _, _), .suspended(let id, _, _), .retrying(let id, _, _), .restarted(let id, _, _),
            .ended(let id, _, _, _):
            id
        case .run, .warning, .lost, .end, .other: nil
        }
    }

    /// It happens to tasks that have, or had, a slot: a writer may have left `resumed` out.
    fileprivate var runs: Bool {
        switch self {
        case .resumed, .attempt, .progress, .redirected, .retrying: true
        default: false
        }
    }
}
