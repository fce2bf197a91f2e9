import Glibc
import Synchronization
public import WhirlBoard
public import WhirlCore

/// The run as a stream of JSON Lines, schema `whirl/1`: for programs.
///
/// - Nothing but records, one a line; the first is `run`, the last `end`. Lifecycle records are never dropped or merged.
/// - `progress` comes at most once in an interval for each task, only when something changed, and exactly before each
///   lifecycle record; never after the task's terminal record.
/// - A slow reader slows no transfer: records wait, and `backlog` tells how many bytes.
/// - When the reader goes away the run is asked to quit. When the disk is full the run goes on, and so does the stream
///   once there is room again.
public final class JSONLines: Frontend {
    private struct State {
        var queue: [RunRecord] = []
        /// The running tasks.
        var followed: [TaskID: Followed] = [:]
        /// Some of them have no indicator yet.
        var hasUnbound = false
        var isClosing = false
        var isStopped = false
        var thread: WorkerThread?
    }
    /// A task, as long as it has no indicator: most small files are there before it is time to tell of them.
    private struct Followed {
        weak var task: (any TransferTask)?
        var indicator: StreamIndicator?
    }
    private let configuration: Configuration
    private let descriptor: Int32
    private let writer: LineWriter
    private let clock: @Sendable () -> UInt64
    private let waker: Waker
    private let waiting = Atomic(0)
    private let hasNews = Atomic(false)
    private let state = Mutex(State())
    private let trouble = Mutex<FrontendTrouble?>(nil)

    /// A stream to where the configuration says; `clock` gives monotonic nanoseconds.
    ///
    /// Throws `usage` when that is not open for writing, or can't be opened.
    public convenience init(
        _ configuration: Configuration = Configuration(), clock: @escaping @Sendable () -> UInt64 = monotonicNanoseconds
    ) throws(TransferError) {
        try self.init(configuration, clock: clock) { LineWriter($0) }
    }

    init(
        _ configuration: Configuration, clock: @escaping @Sendable () -> UInt64 = monotonicNanoseconds,
        writer: (Int32) -> LineWriter
    ) throws(TransferError) {
        self.configuration = configuration
        self.clock = clock
        // First: what is opened next would take the number of a closed standard output.
        descriptor = try configuration.output.open()
        waker = try Waker()
        self.writer = writer(descriptor)
    }

    /// Starts the thread that writes.
    public func open(_ commands: @escaping @Sendable (RunCommand) -> Void) throws {
        let thread = try WorkerThread { [self] in run(commands) }
        state.withLock { $0.thread = thread }
    }

    /// Has an indicator for the task, made and bound when it is time to tell of progress; dropped when the task ends.
    ///
    /// No task is kept alive.
    public func follow(_ task: any TransferTask) {
        guard configuration.progressInterval != nil else { return }
        let id = task.life.id
        let (gone, isFirst) = state.withLock { state in
            defer { state.hasUnbound = true }
            return (state.followed.updateValue(Followed(task: task), forKey: id), !state.hasUnbound)
        }
        withExtendedLifetime(gone) {}
        if isFirst { waker.wake() }
    }

    /// Puts the record with those that wait for the writing thread.
    public func receive(_ record: RunRecord) {
        if case .task(let id, let update) = record.event, update.event == .progress || update.event == .canceling {
            // Another phase is no progress to an indicator.
            return state.withLock { $0.followed[id]?.indicator }?.mark() ?? ()
        }
        let size = record.estimatedSize
        let ended = record.endedTask
        let (isFirst, gone) = state.withLock { state -> (Bool, Followed?) in
            guard !state.isStopped else { return (false, nil) }
            state.queue.append(record)
            waiting.add(size, ordering: .relaxed)
            return (state.queue.count == 1, ended.flatMap { state.followed.removeValue(forKey: $0) })
        }
        withExtendedLifetime(gone) {}  // its release ends an observation: never under the lock
        if isFirst { waker.wake() }
    }

    /// Bytes of records that are not written yet.
    public var backlog: Int { waiting.load(ordering: .relaxed) }

    /// Writes what waits, and tells what could not be written.
    public func close() -> FrontendTrouble? {
        let thread = state.withLock { state in
            state.isClosing = true
            return state.thread.take()
        }
        waker.wake()
        thread?.join()
        let trouble = trouble.withLock { $0 }
        guard case .file = configuration.output, thread != nil else { return trouble }
        // Some file systems tell of a full disk only now.
        guard Glibc.close(descriptor) != 0, trouble == nil else { return trouble }
        return notWritten(LineWriter.Failure(number: errno, written: 0).description)
    }

    private func tellOfNews() {
        if !hasNews.exchange(true, ordering: .acquiringAndReleasing) { waker.wake() }
    }

    // MARK: the thread

    /// Seconds that a record may wait for others.
    private static let patience = 0.005

    private func run(_ commands: @Sendable (RunCommand) -> Void) {
        var stream = RecordStream(
            writer, progressInterval: configuration.progressInterval, retryInterval: configuration.retryInterval,
            at: clock())
        var nextProgress: UInt64 = 0
        var isClosing = false
        while !isClosing {
            let records = state.withLock { state in
                isClosing = state.isClosing
                defer { state.queue = [] }
                return state.queue
            }
            stream.put(records, at: clock())
            if hasProgress, clock() >= nextProgress {
                nextProgress = clock() &+ UInt64((configuration.progressInterval ?? 0) * 1e9)
                putNews(to: &stream)
            }
            stream.flush(isLast: isClosing, at: clock())
            waiting.subtract(records.reduce(0) { $0 + $1.estimatedSize }, ordering: .relaxed)
            if stream.condition == .readerGone { return stop(commands) }
            if isClosing { break }
            waker.wait(atMost: pause(stream.condition, nextProgress))
            // More may be on its way: many records are written at once, and this thread is not woken for each.
            if !state.withLock(\.isClosing) { waker.wait(atMost: Self.patience) }
        }
        if case .broken(let reason, _) = stream.condition { trouble.withLock { $0 = notWritten(reason) } }
    }

    private func notWritten(_ reason: String) -> FrontendTrouble {
        .notWritten(
            "the stream of events can't be written to \(configuration.outputName.map(clean) ?? configuration.output.name): \(reason)"
        )
    }

    /// Whether there may be progress to tell of.
    private var hasProgress: Bool {
        hasNews.load(ordering: .acquiring) || state.withLock(\.hasUnbound)
    }

    private func putNews(to stream: inout RecordStream) {
        bind()
        hasNews.store(false, ordering: .sequentiallyConsistent)
        for (id, followed) in state.withLock({ $0.followed }) {
            guard let indicator = followed.indicator, let snapshot = indicator.takeNews() else { continue }
            if !stream.put(id, snapshot, at: clock()) { indicator.mark() }
        }
    }

    /// Binds an indicator to each task that has none and has not ended.
    private func bind() {
        let tasks = state.withLock { state in
            state.hasUnbound = false
            return state.followed.values.compactMap { $0.indicator == nil ? $0.task : nil }
        }
        for task in tasks {
            let indicator = StreamIndicator(task) { [weak self] in self?.tellOfNews() }
            indicator.setAnimating(withStateOf: task)
            state.withLock { $0.followed[task.life.id]?.indicator = indicator }
        }
    }

    /// Seconds until there is something to do of itself.
    private func pause(_ condition: RecordStream.Condition, _ nextProgress: UInt64) -> Double? {
        var due: UInt64?
        if hasProgress { due = nextProgress }
        if case .broken(_, let retry) = condition { due = min(due ?? retry, retry) }
        return due.map { seconds(from: clock(), to: $0) }
    }

    private func stop(_ commands: @Sendable (RunCommand) -> Void) {
        trouble.withLock { $0 = .readerGone }
        let gone = state.withLock { state in
            state.isStopped = true
            defer { (state.queue, state.followed) = ([], [:]) }
            return state.followed
        }
        withExtendedLifetime(gone) {}
        waiting.store(0, ordering: .relaxed)
        commands(.quit(reason: "broken_pipe"))
    }
}

extension RunRecord {
    /// About how long its line is.
    fileprivate var estimatedSize: Int {
        switch event {
        case .created(_, let description): 200 + description.url.utf8.count + description.destination.utf8.count
        case .warning(let text): 120 + text.utf8.count
        default: 240
        }
    }

    fileprivate var endedTask: TaskID? {
        guard case .task(let id, let update) = event, update.isTerminal else { return nil }
        return id
    }
}
