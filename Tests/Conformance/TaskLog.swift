import Synchronization
import WhirlCore
import WhirlLoopback

/// All that an observer of a task is told, from now on.
final class TaskLog: Sendable {
    let task: any TransferTask
    private let log = Watched<[TaskUpdate]>([])
    private let observation = Mutex<Observation?>(nil)

    init(_ task: any TransferTask) {
        self.task = task
        let observation = task.life.observe { [self] update in log.change { $0.append(update) } }
        self.observation.withLock { $0 = observation }
    }

    var updates: [TaskUpdate] { log.value }

    /// Steps of the task's life: progress left out.
    var events: [TaskEvent] { updates.compactMap(\.event).filter { $0 != .progress } }

    /// The progress at every update.
    var progress: [TransferProgress] { updates.map(\.snapshot.progress) }

    /// Waits until the task is so, or has ended.
    @discardableResult
    func until(_ condition: @escaping @Sendable (TaskSnapshot) -> Bool) async -> TaskSnapshot {
        var last = task.life.snapshot
        for await update in task.life.updates {
            last = update.snapshot
            if condition(last) || last.outcome != nil { break }
        }
        return last
    }

    /// Waits for the end, and judges what was told on the way: no step missing or repeated, one terminal event, last, no
    /// number that falls without a word.
    @discardableResult
    func end(fileID: String = #fileID, filePath: String = #filePath, line: Int = #line) async throws -> TaskOutcome {
        func check(_ condition: Bool, _ what: @autoclosure () -> String) throws {
            try expect(condition, what(), fileID: fileID, filePath: filePath, line: line)
        }
        let updates = await log.until { $0.last?.isTerminal == true }
        guard let outcome = updates.last?.snapshot.outcome else {
            throw BrokenPromise(what: "no end", fileID: fileID, filePath: filePath, line: line)
        }
        let terminal = updates.indices.filter { if case .ended = updates[$0].event { true } else { false } }
        try check(terminal == [updates.count - 1], "terminal events at \(terminal) of \(updates.count)")
        var before = updates[0].snapshot
        for update in updates.dropFirst() {
            let isStep = update.event != .progress
            try check(
                update.snapshot.ordinal == before.ordinal + (isStep ? 1 : 0),
                "step \(update.snapshot.ordinal) after \(before.ordinal)")
            if case .restarted = update.event {
                before = update.snapshot
                continue
            }
            try check(
                update.snapshot.progress.received >= before.progress.received,
                "\(update.snapshot.progress.received) after \(before.progress.received)")
            before = update.snapshot
        }
        return outcome
    }

    /// Waits for the end, which must be a success.
    func success(fileID: String = #fileID, filePath: String = #filePath, line: Int = #line) async throws {
        let outcome = try await end(fileID: fileID, filePath: filePath, line: line)
        if case .completed = outcome { return }
        try expect(false, "the end: \(outcome)", fileID: fileID, filePath: filePath, line: line)
    }
}
