import Synchronization
public import WhirlCore

/// A frontend that shows nothing and remembers all.
public final class Recorder: Frontend {
    private struct State {
        var records: [RunRecord] = []
        var followed: [any TransferTask] = []
        var commands: (@Sendable (RunCommand) -> Void)?
        var opens = 0
        var closes = 0
    }
    private let watched = Watched(State())
    private let refusal: (any Error)?
    private let waiting = Atomic<Int>(0)

    /// A recorder; with `refusal` its `open` throws that.
    public init(refusal: (any Error)? = nil) { self.refusal = refusal }

    // MARK: what was seen

    /// All records, in order of arrival.
    public var records: [RunRecord] { watched.value.records }
    /// The tasks it was told to follow, in order.
    public var followed: [any TransferTask] { watched.value.followed }
    /// Sends a command to the run; nil before `open`.
    public var commands: (@Sendable (RunCommand) -> Void)? { watched.value.commands }
    /// Calls of `open`, those that threw among them.
    public var opens: Int { watched.value.opens }
    /// Calls of `close`.
    public var closes: Int { watched.value.closes }

    /// What happened to one task, in order; progress is among it.
    public func events(of id: TaskID) -> [TaskEvent] { updates(of: id).compactMap(\.event) }

    /// The updates of one task, in order.
    public func updates(of id: TaskID) -> [TaskUpdate] {
        records.compactMap { record in
            if case .task(id, let update) = record.event { update } else { nil }
        }
    }

    /// Waits until the records are so.
    ///
    /// `condition` is called for every record and must be quick.
    @discardableResult
    public func until(_ condition: @escaping @Sendable ([RunRecord]) -> Bool) async -> [RunRecord] {
        await watched.until { condition($0.records) }.records
    }

    // MARK: the frontend

    /// Keeps `commands`, and refuses if it was told to.
    public func open(_ commands: @escaping @Sendable (RunCommand) -> Void) throws {
        watched.change { state in
            state.opens += 1
            state.commands = commands
        }
        if let refusal { throw refusal }
    }

    /// Remembers the task.
    public func follow(_ task: any TransferTask) { watched.change { $0.followed.append(task) } }

    /// Remembers the record.
    public func receive(_ record: RunRecord) { watched.change { $0.records.append(record) } }

    /// What a test says it is; 0 at first.
    public var backlog: Int {
        get { waiting.load(ordering: .sequentiallyConsistent) }
        set { waiting.store(newValue, ordering: .sequentiallyConsistent) }
    }

    /// Counts; there is never trouble.
    public func close() -> FrontendTrouble? {
        watched.change { $0.closes += 1 }
        return nil
    }
}
