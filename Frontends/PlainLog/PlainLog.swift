import Glibc
import Synchronization
public import WhirlBoard
public import WhirlCore

/// The log: whole lines for people on a stream, no carriage returns, no escapes unless coloured.
///
/// - It never floods and never falls silent: a line at least every minute, and a budget of lines whatever happens.
/// - A failure is always told, with its task, its redacted URL and its cause.
/// - When nobody reads it, or its stream is none, it is silently off; a full disk is tried again. The run goes on.
public final class PlainLog: Frontend {
    private struct Item: Sendable {
        let record: RunRecord
        let row: Row?
        let at: UInt64
    }
    private struct State {
        var interest: LogInterest
        var queue: [Item] = []
        /// What needs no line, by the words of the beat.
        var unsaid: [String: Int] = [:]
        var isClosing = false
        var thread: WorkerThread?
    }
    private let configuration: Configuration
    private let board: Board
    private let writer: LineWriter
    private let waker: Waker
    private let state: Mutex<State>
    private let trouble = Mutex<FrontendTrouble?>(nil)

    /// A log that is not open yet; `clock` gives monotonic nanoseconds.
    ///
    /// Throws `usage` when its file can't be opened.
    public convenience init(
        _ configuration: Configuration = Configuration(), clock: @escaping @Sendable () -> UInt64 = monotonicNanoseconds
    ) throws {
        try self.init(configuration, clock: clock) { LineWriter($0) }
    }

    init(_ configuration: Configuration, clock: @escaping @Sendable () -> UInt64, writer: (Int32) -> LineWriter) throws
    {
        self.configuration = configuration
        board = Board(remembers: false, clock: clock)
        state = Mutex(State(interest: LogInterest(isVerbose: configuration.isVerbose)))
        self.writer = writer(try configuration.open())
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
        let isOfInterest = state.withLock { state in
            let answer = state.interest.judge(record.event)
            if case .beat(let word) = answer { state.unsaid[word, default: 0] += 1 }
            return answer == .line
        }
        guard isOfInterest else { return }
        let row: Row? = if case .task(let id, _) = record.event { board.row(id) } else { nil }
        let item = Item(record: record, row: row, at: board.clock())
        let isFirst = state.withLock { state in
            state.queue.append(item)
            return state.queue.count == 1
        }
        if isFirst { waker.wake() }
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
        if configuration.path != nil { Glibc.close(writer.descriptor) }
        return trouble.withLock { $0 }
    }

    // MARK: the thread

    /// Seconds between two looks at what runs.
    private static let period = 0.5
    /// Seconds that a line may wait for others.
    private static let patience = 0.02

    private func run() {
        let now = board.clock()
        var log = OpenLog(
            policy: LogPolicy(isQuiet: configuration.isQuiet, at: now),
            isColored: configuration.isColored, time: configuration.time, sink: LogSink(writer), at: now)
        var looked: UInt64?
        while true {
            let (items, unsaid, isClosing) = state.withLock { state in
                defer { (state.queue, state.unsaid) = ([], [:]) }
                return (state.queue, state.unsaid, state.isClosing)
            }
            for item in items { log.note(item.record, item.row, at: item.at) }
            for (word, count) in unsaid { log.policy.noteUnsaid(word, count) }
            let now = board.clock()
            if isClosing || looked.map({ seconds(from: $0, to: now) >= Self.period }) != false {
                let totals = board.totals
                log.tick(totals, active: board.view(from: 0, count: totals.active).rows, at: now)
                looked = now
            }
            if isClosing { break }
            waker.wait(atMost: 1)
            // More may be on its way: with a thousand files in a second it is not woken a thousand times. Only the end is
            // told while something waits.
            if !state.withLock(\.isClosing) { waker.wait(atMost: Self.patience) }
        }
        let summary = board.summary(isASCII: configuration.isASCII, keepsFiles: configuration.keepsFiles)
        log.finish(configuration.isQuiet ? "" : summary, at: board.clock())
        // Of the standard error there is nobody to tell.
        guard let path = configuration.path, let reason = log.sink.reason else { return }
        trouble.withLock { $0 = .notLogged("the log can't be written to \(clean(path)): \(reason)") }
    }
}

/// What the thread alone knows: the policy, and the time of day.
private struct OpenLog {
    var policy: LogPolicy
    let isColored: Bool
    let time: LogTime
    var sink: LogSink
    /// A moment of the run, and the nanoseconds of the clock then.
    private var anchor: (moment: LogMoment, at: UInt64)

    init(policy: LogPolicy, isColored: Bool, time: LogTime, sink: LogSink, at now: UInt64) {
        self.policy = policy
        self.isColored = isColored
        self.time = time
        self.sink = sink
        anchor = (LogMoment(elapsed: 0, time: 0), now)
    }

    mutating func note(_ record: RunRecord, _ row: Row?, at now: UInt64) {
        anchor = (LogMoment(elapsed: record.elapsed, time: record.time), now)
        write(policy.note(record.event, row, at: now), at: now)
    }

    mutating func tick(_ totals: Totals, active: [Row], at now: UInt64) {
        sink.flush(at: now)
        write(policy.tick(totals, active: active, at: now), at: now)
    }

    mutating func finish(_ summary: String, at now: UInt64) {
        write(policy.finish(at: now), at: now)
        sink.put(Array(summary.utf8), at: now)
        sink.flush(isLast: true, at: now)
    }

    private mutating func write(_ lines: [LogLine], at now: UInt64) {
        guard !lines.isEmpty else { return }
        let time = anchor.moment.after(seconds(from: anchor.at, to: now)).text(time)
        for line in lines { sink.put(line.bytes(time: time, colored: isColored), at: now) }
    }
}
