import Synchronization
public import WhirlCore

/// What a program needs that sends commands and wants to know what came of them.
extension Session {
    /// Tells every frontend what came of a command; nothing once the run is over.
    public func answer(_ answer: CommandAnswer) { record(.answer(answer)) }

    /// Whether the session has accepted a task of that name, ended or not.
    public func knows(_ id: TaskID) -> Bool { state.withLock { $0.accepted?.contains(id) ?? false } }

    /// The tasks that have not ended: first those that wait for a slot, as they would take those that others give up.
    public var unfinished: [TaskID] {
        let (idle, busy) = state.withLock { state in
            (
                state.entries.values.filter { !$0.hasSlot }.map(\.task.id),
                state.entries.values.filter(\.hasSlot).map(\.task.id)
            )
        }
        return idle.sorted() + busy.sorted()
    }

    /// How many tasks have not ended.
    public var unfinishedCount: Int { state.withLock { $0.entries.count } }

    /// Whether some wait to be resumed, or will when they come.
    public var isPaused: Bool { state.withLock { $0.startsPaused || $0.entries.values.contains { !$0.wantsToRun } } }

    /// Whether no more requests are wanted: what is added all the same is cancelled.
    public var isClosing: Bool { state.withLock { $0.stop != nil || $0.isOver } }

    /// The tasks that failed and may be tried again.
    public var failures: [TaskID] { state.withLock { $0.failed.keys.sorted() } }

    /// Keeps a command for a task that has been told of and is not quite there; false when the task is there, or gone.
    func isEarly(_ command: RunCommand, for id: TaskID) -> Bool {
        state.withLock { state in
            guard state.early[id] != nil else { return false }
            state.early[id]?.append(command)
            return true
        }
    }
}

extension SessionState {
    /// A task is about to be told of; false when the run is over.
    mutating func announce(_ id: TaskID) -> Bool {
        guard !isOver else { return false }
        early[id] = []
        accepted = accepted.map { min($0.lowerBound, id)...max($0.upperBound, id) } ?? id...id
        return true
    }
}
