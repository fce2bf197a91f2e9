import Synchronization
public import WhirlBoard
public import WhirlCore

/// The log: whole lines for people on a stream, no carriage returns, no escapes unless coloured.
///
/// - It never floods and never falls silent: a line at least every minute, and a budget of lines whatever happens.
/// - A failure is always told, with its task, its redacted URL and its cause.
/// - When its stream can't be written it is silently off; the run goes on.
public final class PlainLog: Frontend {
    /// How to log.
    public struct Configuration: Sendable {
        /// Where to; it stays open.
        public var descriptor: Int32 = 2
        /// Only failures, and no summary.
        public var isQuiet = false
        /// Every beginning, retry and success, within the budget.
        public var isVerbose = false
        /// Levels have colours.
        public var isColored = false
        /// The summary is plain ASCII.
        public var isASCII = false
        /// Whether files outlive the run: only then the summary says what can be gone on with.
        public var keepsFiles = true

        /// The defaults.
        public init() {}
    }
    private struct Item: Sendable {
        let record: RunRecord
        let row: Row?
        let at: UInt64
    }
    private struct State {
        var queue: [Item] = []
        var isClosing = false
        var thread: WorkerThread?
    }
    private let configuration: Configuration
    private let board: Board
    private let writer: LineWriter
    private let waker: Waker
    private let state = Mutex(State())

    /// A log that is not open yet; `clock` gives monotonic nanoseconds.
    public init(
        _ configuration: Configuration = Configuration(), clock: @escaping @Sendable () -> UInt64 = monotonicNanoseconds
    ) throws {
        self.configuration = configuration
        board = Board(clock: clock)
        writer = LineWriter(configuration.descriptor)
        waker = try Waker()
    }

    /// Starts the thread that writes.
    public func open(_ commands: @escaping @Sendable (RunCommand) -> Void) throws {
        let thread = try WorkerThread { [self] in run() }
        state.withLock { $0.thread = thread }
    }

    /// The indicator is the board's handle on the task's row.
    public func follow(_ task: any TransferTask) { board.follow(task) }

    /// Notes what happened; the line, if there is one, is written by the log's own thread.
    public func receive(_ record: RunRecord) {
        board.receive(record)
        var row: Row?
        if case .task(let id, let update) = record.event {
            if update.event == .progress { return }
            row = board.row(id)
        }
        let item = Item(record: record, row: row, at: board.clock())
        state.withLock { $0.queue.append(item) }
        waker.wake()
    }

    /// About 1 KiB for each record that waits.
    public var backlog: Int { state.withLock { $0.queue.count * 1024 } }

    /// Writes what waits and, unless quiet, the summary.
    public func close() -> FrontendTrouble? {
        let thread = state.withLock { state in
            state.isClosing = true
            return state.thread.take()
        }
        waker.wake()
        thread?.join()
        return nil
    }

    // MARK: the thread

    private func run() {
        let now = board.clock()
        var log = OpenLog(
            policy: LogPolicy(isQuiet: configuration.isQuiet, isVerbose: configuration.isVerbose, at: now),
            isColored: configuration.isColored, writer: writer, at: now)
        while true {
            let (items, isClosing) = state.withLock { state in
                defer { state.queue = [] }
                return (state.queue, state.isClosing)
            }
            for item in items { log.note(item.record, item.row, at: item.at) }
            let totals = board.totals
            let active = board.view(from: 0, count: totals.active).rows
            log.tick(totals, active: active, at: board.clock())
            if isClosing { break }
            waker.wait(atMost: 1)
        }
        let summary = board.summary(isASCII: configuration.isASCII, keepsFiles: configuration.keepsFiles)
        log.finish(configuration.isQuiet ? "" : summary, at: board.clock())
    }
}

/// What the thread alone knows: the policy, and the time of day.
private struct OpenLog {
    var policy: LogPolicy
    let isColored: Bool
    /// nil once the stream can't be written.
    var writer: LineWriter?
    /// A moment on both clocks: microseconds since 1970, and nanoseconds.
    private var anchor: (time: Int64, at: UInt64)

    init(policy: LogPolicy, isColored: Bool, writer: LineWriter, at now: UInt64) {
        self.policy = policy
        self.isColored = isColored
        self.writer = writer
        anchor = (0, now)
    }

    mutating func note(_ record: RunRecord, _ row: Row?, at now: UInt64) {
        anchor = (record.time, now)
        write(policy.note(record.event, row, at: now), at: now)
    }

    mutating func tick(_ totals: Totals, active: [Row], at now: UInt64) {
        write(policy.tick(totals, active: active, at: now), at: now)
    }

    mutating func finish(_ summary: String, at now: UInt64) {
        write(policy.finish(at: now), at: now)
        put(Array(summary.utf8))
    }

    private mutating func write(_ lines: [LogLine], at now: UInt64) {
        let time = anchor.time + Int64(seconds(from: anchor.at, to: now) * 1e6)
        for line in lines { put(line.bytes(time: time, colored: isColored)) }
    }

    private mutating func put(_ bytes: [UInt8]) {
        do { try writer?.write(bytes) } catch { writer = nil }
    }
}
