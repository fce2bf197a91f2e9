public import WhirlCore

/// A frontend that shows nothing and keeps everything, for tests to look at and to wait for.
public final class Recorder: Frontend {
    /// What a recorder was given so far.
    public struct Recording: Sendable {
        /// The records, in the order they came.
        public var records: [RunRecord] = []
        /// The tasks it was told to follow; they live as long as this does.
        public var followed: [any TransferTask] = []
        /// Whether `open` has been called.
        public var isOpen = false
        /// Whether `close` has been called.
        public var isClosed = false
    }

    private struct State: Sendable {
        var recording = Recording()
        var commands: (@Sendable (RunCommand) -> Void)?
        var backlog = 0
    }

    private let state = Shared(State())
    private let refusal: TransferError?
    private let trouble: FrontendTrouble?

    /// A recorder whose `open` throws `refusal` and whose `close` tells of `trouble`.
    public init(refusal: TransferError? = nil, trouble: FrontendTrouble? = nil) {
        self.refusal = refusal
        self.trouble = trouble
    }

    // MARK: the seam

    /// Keeps `commands`; throws the refusal it was made with.
    public func open(_ commands: @escaping @Sendable (RunCommand) -> Void) throws {
        if let refusal { throw refusal }
        state.change { state in
            state.commands = commands
            state.recording.isOpen = true
        }
    }

    /// Keeps the task.
    public func follow(_ task: any TransferTask) { state.change { $0.recording.followed.append(task) } }

    /// Keeps the record.
    public func receive(_ record: RunRecord) { state.change { $0.recording.records.append(record) } }

    /// What a test set it to; 0 before.
    public var backlog: Int {
        get { state.value.backlog }
        set { state.change { $0.backlog = newValue } }
    }

    /// Forgets `commands`; returns the trouble it was made with.
    public func close() -> FrontendTrouble? {
        let commands = state.change { state in
            state.recording.isClosed = true
            return state.commands.take()
        }
        withExtendedLifetime(commands) {}
        return trouble
    }

    // MARK: for tests

    /// What it was given so far.
    public var recording: Recording { state.value.recording }

    /// What it was opened with, to play the person who presses keys; nil before `open` and after `close`.
    public var commands: (@Sendable (RunCommand) -> Void)? { state.value.commands }

    /// Returns the recording as soon as it meets the condition.
    @discardableResult
    public func until(_ condition: @escaping @Sendable (Recording) -> Bool) async -> Recording {
        await state.until { condition($0.recording) }.recording
    }
}

extension Recorder.Recording {
    /// The tasks that were created, in order.
    public var created: [TaskID] {
        records.compactMap { if case .created(let id, _) = $0.event { id } else { nil } }
    }

    /// The updates of one task, in order.
    public func updates(of id: TaskID) -> [TaskUpdate] {
        records.compactMap { if case .task(id, let update) = $0.event { update } else { nil } }
    }

    /// The events of one task, in order, progress left out.
    public func steps(of id: TaskID) -> [TaskEvent] { updates(of: id).compactMap(\.event).filter { $0 != .progress } }

    /// How a task ended; nil while it has not.
    public func outcome(of id: TaskID) -> TaskOutcome? { updates(of: id).last?.snapshot.outcome }

    /// The warnings, in order.
    public var warnings: [String] {
        records.compactMap { if case .warning(let text) = $0.event { text } else { nil } }
    }

    /// The summary of the run; nil before its end.
    public var summary: RunSummary? {
        if case .end(let summary) = records.last?.event { summary } else { nil }
    }
}
