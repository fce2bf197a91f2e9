import Synchronization

/// A task's updates as a sequence.
///
/// - Lifecycle updates are never dropped; of progress updates with nothing between them only the newest is kept for a
///   slow reader.
/// - It holds the task; its iterators do not.
public struct TaskUpdates: AsyncSequence, Sendable {
    /// What happened, and the task right after it.
    public typealias Element = TaskUpdate
    /// It ends with the task, never with an error.
    public typealias Failure = Never
    let core: TaskCore

    /// Subscribes: the first update is the task as it is now.
    public func makeAsyncIterator() -> Iterator {
        let buffer = Buffer()
        core.attach(buffer, generation: 0)
        return Iterator(subscription: Subscription(buffer: buffer, core: core))
    }

    /// One subscription; dropping it, or cancelling the task that waits in it, ends it.
    public struct Iterator: AsyncIteratorProtocol {
        fileprivate let subscription: Subscription

        /// The next update; nil after the terminal one.
        public mutating func next() async -> TaskUpdate? { await subscription.buffer.next() }

        /// The next update, on the caller's actor; nil after the terminal one.
        public mutating func next(isolation actor: isolated (any Actor)?) async -> TaskUpdate? {
            await subscription.buffer.next(isolation: actor)
        }
    }

    /// Released with the iterator: ends the subscription, keeps no task alive.
    fileprivate final class Subscription: Sendable {
        let buffer: Buffer
        private weak let core: TaskCore?

        init(buffer: Buffer, core: TaskCore) {
            self.buffer = buffer
            self.core = core
        }

        deinit { core?.detach(buffer, generation: 0) }
    }

    fileprivate final class Buffer: UpdateSink {
        private struct State {
            var outbox = Outbox<TaskUpdate>()
            var reader: CheckedContinuation<TaskUpdate?, Never>?
            var isFinished = false

            mutating func take() -> TaskUpdate? {
                guard let update = outbox.next() else { return nil }
                if update.isTerminal { isFinished = true }
                return update
            }
        }
        private let state = Mutex(State())

        var isPrompt: Bool { true }

        func accept(_ update: TaskUpdate, generation: UInt64, handsOver: Bool) -> Acceptance {
            state.withLock { $0.outbox.put(update) }
            return .stored
        }

        /// Resumes the reader outside the lock: an executor's `enqueue` is a stranger's code.
        func deliver() {
            let call = state.withLock { state -> (CheckedContinuation<TaskUpdate?, Never>, TaskUpdate)? in
                guard let reader = state.reader, let update = state.take() else { return nil }
                state.reader = nil
                return (reader, update)
            }
            call?.0.resume(returning: call?.1)
        }

        func next(isolation: isolated (any Actor)? = #isolation) async -> TaskUpdate? {
            if let ready = state.withLock({ $0.take() }) { return ready }
            return await withTaskCancellationHandler {
                // Naming the isolation keeps the closure on the caller's actor: 0.2 instead of 16 µs.
                await withCheckedContinuation(isolation: isolation) { continuation in
                    let ready = state.withLock { state -> TaskUpdate?? in
                        if let update = state.take() { return .some(update) }
                        if state.isFinished || Task.isCancelled { return .some(nil) }
                        precondition(state.reader == nil, "one reader at a time")
                        state.reader = continuation
                        return nil
                    }
                    if let ready { continuation.resume(returning: ready) }
                }
            } onCancel: {
                let reader = state.withLock { state in
                    state.isFinished = true
                    return state.reader.take()
                }
                reader?.resume(returning: nil)
            }
        }
    }
}
