import Synchronization
import WhirlCore

extension Session {
    /// All bytes are in hand: they are checked and synced where that is wanted, and get their name.
    ///
    /// The slot is free at once: others transfer meanwhile.
    func complete(_ attempt: Attempt, _ status: Int, _ timings: ExchangeTimings?) {
        let task = attempt.task
        let expectations = attempt.expectations
        let takesLong = !expectations.isEmpty || (configuration.durability != .none && !task.destination.isInPlace)
        let isThere = state.withLock { state in
            guard state.entries[task.id] != nil else { return false }
            state.release(task.id)
            state.set(.finishing(isDecided: !takesLong), of: task.id)
            state.finishing += 1
            return true
        }
        guard isThere else {
            attempt.sink?.close()
            return
        }
        let completion = TaskCompletion(status: status, timings: timings)
        if takesLong {
            if !expectations.isEmpty { task.core.enter(.verifying) }
            finishers.perform { [self] in finish(attempt, completion, expectations) }
            pump()
        } else {
            finish(attempt, completion, [])
        }
    }

    private func finish(_ attempt: Attempt, _ completion: TaskCompletion, _ expectations: [Expectation]) {
        let task = attempt.task
        do throws(TransferError) {
            var completion = completion
            completion.digests = try verify(attempt, expectations)
            if configuration.durability != .none { try attempt.sink?.sync() }
            if decide(task) {
                try give(attempt, &completion)
                end(task, .completed(completion))
            } else {
                attempt.sink?.close()
            }
        } catch {
            giveUp(attempt, error)
        }
        let idle = state.withLock { state in
            state.finishing -= 1
            return state.takeIdleWaiter()
        }
        idle?.resume()
        pump()
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
            guard case .finishing = state.entries[task.id]?.status else { return false }
            state.set(.finishing(isDecided: true), of: task.id)
            return true
        }
    }

    private func give(_ attempt: Attempt, _ completion: inout TaskCompletion) throws(TransferError) {
        let task = attempt.task
        guard let path = try attempt.sink?.commit(attempt.finish) else { return }
        if path != task.destination.path { completion.destination = path }
        guard !task.destination.isInPlace else { return }
        switch configuration.durability {
        case .none: break
        case .file: state.withLock { _ = $0.unsynced.insert(PartFile.folder(of: path)) }
        case .full: PartFile.sync(folder: PartFile.folder(of: path))
        }
    }

    /// Bytes that were continued without proof are wrong: they are fetched from the beginning, once.
    private func startOver(_ task: SessionTask) {
        let isThere = state.withLock { state in
            guard state.entries[task.id] != nil else { return false }
            state.entries[task.id]?.point = nil
            state.entries[task.id]?.isRetrying = true
            state.set(.waiting, of: task.id)
            if state.entries[task.id]?.wantsToRun == true { state.enqueue(task.id, first: true) }
            return true
        }
        if isThere { restart(task, reason: "digest_mismatch", lost: task.core.snapshot.progress.received) }
        settle(task)
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
