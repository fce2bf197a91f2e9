import Synchronization
public import WhirlCore

/// Rows, totals and rates of a run: what frontends draw from.
///
/// - Every call may come from any thread. Each record costs a fixed small amount of work, however many tasks there are.
/// - `totals` always add up, at every moment.
/// - All unfinished rows, all failed rows and the last 1,000 others are kept.
public final class Board: Sendable {
    private let state: Mutex<State>
    private let pulse = Pulse()
    /// The nanoseconds it goes by.
    public let clock: @Sendable () -> UInt64

    /// An empty board.
    ///
    /// `clock` gives nanoseconds and never goes back; `kept` is how many done rows are kept. Without `remembers` there are
    /// neither notes nor histories.
    public init(
        kept: Int = 1000, remembers: Bool = true, clock: @escaping @Sendable () -> UInt64 = monotonicNanoseconds
    ) {
        self.clock = clock
        state = Mutex(State(kept: kept, remembers: remembers, now: clock()))
    }

    /// The next thing that happened.
    public func receive(_ record: RunRecord) {
        let now = clock()
        let gone = state.withLock { $0.receive(record, at: now) }
        // What is asked or released here is a stranger's: never under the lock.
        guard let gone, let answer = gone.answer, case .task(let id, _) = record.event else { return }
        state.withLock { $0.keep(answer, of: id) }
    }

    /// Has an indicator for the task, made and bound when somebody looks while it runs; dropped when the task ends.
    ///
    /// The task's `created` came before. No task is kept alive.
    public func follow(_ task: any TransferTask) {
        let id = task.life.id
        let gone = state.withLock { $0.follow(task, id) }
        withExtendedLifetime(gone) {}
    }

    /// The rows that a query finds, from the `from`-th on, at most `count` of them, and what else is shown.
    ///
    /// `notes` and `failures` say how many of the newest of each. A look costs what it shows and a moment for each task
    /// that has begun and not ended; with a query of some kind, once a second, also a pass over all rows.
    public func view(
        _ query: RowQuery = RowQuery(), from: Int, count: Int, notes: Int = 0, failures: Int = 0
    ) -> BoardView {
        let (now, beats) = look()
        return state.withLock { state in
            var view = state.view(query, from: from, count: count, at: now)
            view.generation &+= beats
            view.notes = state.notes.suffix(max(0, notes)).map(\.text)
            view.failures = state.newestFailures(failures, at: now)
            return view
        }
    }

    /// What a task went through; nil when it has not begun, or when its row is no longer kept.
    public func history(of id: TaskID) -> TaskHistory? {
        let now = look(at: id).now
        let (found, followed) = state.withLock { ($0.history(of: id, at: now), $0.followed(id)) }
        guard var history = found else { return nil }
        if let answer = followed.answer { history.head = answer }
        return history
    }

    /// The tasks that stand in one of the groups, in the order of the groups given and of the rows.
    public func ids(in groups: [RowGroup]) -> [TaskID] {
        state.withLock { $0.ids(in: groups) }
    }

    /// The row of a task; nil when there is none, or when it is no longer kept.
    public func row(_ id: TaskID) -> Row? {
        let now = look(at: id).now
        return state.withLock { $0.row(id, at: now) }
    }

    /// The sums now.
    public var totals: Totals {
        let now = look().now
        return state.withLock { $0.totals(at: now) }
    }

    /// All rows of tasks that failed, the first failure first.
    public var failures: [Row] {
        let now = clock()
        return state.withLock { $0.rows(of: .failed, at: now) }
    }

    /// Changes when a record or an indicator has changed something that is shown; a task has one from the first look on.
    public var generation: UInt64 { state.withLock { $0.generation } &+ pulse.count }

    /// Rows of tasks that failed or were cancelled with bytes in hand: what another run can go on with.
    public var partials: [Row] {
        let now = clock()
        return state.withLock { state in
            state.rows(of: .failed, at: now, where: \.hasKeptBytes)
                + state.rows(of: .done, at: now, where: \.hasKeptBytes).reversed()
        }
    }

    // MARK: the handles

    /// Asks the handles, or that of one task, what there is new, and says what time it is.
    ///
    /// Also how often handles had been told anything before that.
    private func look(at id: TaskID? = nil) -> (now: UInt64, beats: UInt64) {
        bindFollowed(id)
        let beats = pulse.count
        let handles = state.withLock { state in
            guard let id else { return Array(state.handles) }
            return state.handles[id].map { [(id, $0)] } ?? []
        }
        let now = clock()
        for (id, handle) in handles {
            // What a handle asks is a stranger's: not under the lock.
            guard let snapshot = handle.takeNews() else { continue }
            state.withLock { $0.advance(id, to: snapshot, at: now) }
        }
        return (now, beats)
    }

    /// Gives the running tasks, or the one, their handles.
    private func bindFollowed(_ id: TaskID? = nil) {
        for task in state.withLock({ $0.withoutHandle(id) }) {
            let handle = RowHandle(task, pulse: pulse)
            let id = task.life.id
            if state.withLock({ $0.keep(handle, id) }) { handle.setAnimating(withStateOf: task) }
        }
    }
}

extension Board {
    /// How the run went, for people: one line, then the failures, then what can be gone on with.
    ///
    /// Without `keepsFiles` nothing is left to go on with. Empty when the run ended because nobody reads its output any more. See ``Summary``.
    public func summary(isASCII: Bool = false, keepsFiles: Bool = true) -> String {
        if state.withLock({ $0.readerLeft }) { return "" }
        let summary = Summary(
            totals, failures: failures, partials: keepsFiles ? partials : [], isASCII: isASCII)
        return summary.lines.joined(separator: "\n") + "\n"
    }
}
