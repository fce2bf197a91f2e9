import Synchronization
import WhirlCore

extension Session {
    /// All bytes are in hand: they are checked and synced where that is wanted, and get their name.
    ///
    /// The slot is free at once: others transfer meanwhile.
    func complete(_ attempt: Attempt, _ status: Int, _ timings: ExchangeTimings?) {
        let task = attempt.task
        let expectations = attempt.expectations
        let isSynced = configuration.durability != .none && attempt.sink?.isOnDisk == true
        let takesLong = isSynced || !expectations.isEmpty
        let isThere = state.withLock { state in
            guard let entry = state.entries[task.id] else { return false }
            state.release(entry)
            state.set(.finishing(isDecided: !takesLong), of: entry)
            if takesLong { state.finishing += 1 }
            return true
        }
        guard isThere else {
            attempt.sink?.close()
            return
        }
        let completion = TaskCompletion(status: status, timings: timings)
        if takesLong {
            if !expectations.isEmpty { task.core.enter(.verifying) }
            finishers.perform { [self] in
                finish(attempt, completion, expectations, isSynced: isSynced)
                finished()
            }
            pump()
        } else {
            do throws(TransferError) { try give(attempt, completion) } catch { end(task, .failed(error)) }
        }
    }

    private func finish(
        _ attempt: Attempt, _ completion: TaskCompletion, _ expectations: [Expectation], isSynced: Bool
    ) {
        let task = attempt.task
        do throws(TransferError) {
            var completion = completion
            completion.digests = try verify(attempt, expectations)
            if isSynced { try attempt.sink?.sync() }
            if decide(task) { try give(attempt, completion) } else { attempt.sink?.close() }
        } catch {
            giveUp(attempt, error)
        }
    }

    /// One task less is being given its file.
    private func finished() {
        let (idle, isAwaited) = state.withLock { state in
            state.finishing -= 1
            return (state.takeIdleWaiter(), state.finishing == SessionState.mostFinishing - 1)
        }
        idle?.resume()
        if isAwaited { pump() }
    }

    /// The bytes are not what they should be, or can't be kept.
    private func giveUp(_ attempt: Attempt, _ error: TransferError) {
        let task = attempt.task
        guard error.code == .digestMismatch else { return end(task, .failed(error)) }
        if let asked = attempt.asked, asked.validator == nil, configuration.resume != .strict {
            return startOver(task)
        }
        attempt.sink?.reject()
        if task.mirrors.isEmpty || task.destination.isInPlace {
            end(task, .failed(error))
        } else {
            moveOn(attempt, after: error)
        }
    }

    /// The digests that were asked for, if they are right.
    private func verify(
        _ attempt: Attempt, _ expectations: [Expectation]
    ) throws(TransferError) -> [String: String] {
        let algorithms = Set(expectations.flatMap(\.digests.keys))
        guard !algorithms.isEmpty, let sink = attempt.sink else { return [:] }
        let digests = try sink.digests(algorithms)
        for each in expectations { try each.check(digests) }
        return Dictionary(digests.map { ($0.key.rawValue, $0.value) }) { $1 }
    }

    /// From here on the task can't be cancelled; false when it has been.
    private func decide(_ task: SessionTask) -> Bool {
        state.withLock { state in
            guard let entry = state.entries[task.id], case .finishing = entry.status else { return false }
            state.set(.finishing(isDecided: true), of: entry)
            return true
        }
    }

    /// Gives the file its name; the task has completed.
    private func give(_ attempt: Attempt, _ completion: TaskCompletion) throws(TransferError) {
        let task = attempt.task
        var completion = completion
        if let sink = attempt.sink {
            let isOnDisk = sink.isOnDisk
            let path = try sink.commit(attempt.finish)
            if path != task.destination.path { completion.destination = path }
            if isOnDisk { nameIsGiven(path) }
        }
        end(task, .completed(completion))
    }

    private func nameIsGiven(_ path: String) {
        switch configuration.durability {
        case .none: break
        case .file: state.withLock { _ = $0.unsynced.insert(PartFile.folder(of: path)) }
        case .full: PartFile.sync(folder: PartFile.folder(of: path))
        }
    }

    /// Bytes that were continued without proof are wrong: they are fetched from the beginning, once.
    private func startOver(_ task: SessionTask) {
        let isThere = state.withLock { state in
            guard let entry = state.entries[task.id] else { return false }
            entry.point = nil
            entry.isRetrying = true
            state.set(.waiting, of: entry)
            if entry.wantsToRun { state.enqueue(entry, first: true) }
            return true
        }
        if isThere { restart(task, reason: "digest_mismatch", lost: task.core.snapshot.progress.received) }
        settle(task)
        pump()
    }

    /// Makes the names given since the last call survive a loss of power.
    func syncFolders() {
        let folders = state.withLock { state in
            defer { state.unsynced = [] }
            return state.unsynced
        }
        for folder in folders { PartFile.sync(folder: folder) }
    }
}
