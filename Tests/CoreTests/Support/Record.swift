import Synchronization

#if SANITIZE_THREAD
@testable import WhirlCore
#endif

/// What happened, in order; a test waits for it instead of for time to pass.
final class Record<Element: Sendable>: Sendable {
    private struct Waiter {
        let condition: @Sendable ([Element]) -> Bool
        let continuation: CheckedContinuation<Void, Never>
    }
    private struct State {
        var all: [Element] = []
        var waiters: [Int: Waiter] = [:]
        var nextKey = 0
    }
    private let state = Mutex(State())

    var all: [Element] { state.withLock { $0.all } }
    var last: Element? { state.withLock { $0.all.last } }
    var count: Int { state.withLock { $0.all.count } }

    /// Appends, and says how many there are now.
    @discardableResult
    func append(_ element: Element) -> Int {
        let (count, met) = state.withLock { state in
            state.all.append(element)
            guard !state.waiters.isEmpty else { return (state.all.count, [Waiter]()) }
            let met = state.waiters.filter { $0.value.condition(state.all) }
            for key in met.keys { state.waiters[key] = nil }
            return (state.all.count, Array(met.values))
        }
        for waiter in met { waiter.continuation.resume() }
        return count
    }

    /// Returns when `condition` holds, at once or after an `append`, or when the test is cancelled.
    func wait(until condition: @escaping @Sendable ([Element]) -> Bool) async {
        let key = state.withLock { state in
            state.nextKey += 1
            return state.nextKey
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isMet = state.withLock { state in
                    if Task.isCancelled || condition(state.all) { return true }
                    state.waiters[key] = Waiter(condition: condition, continuation: continuation)
                    return false
                }
                if isMet { continuation.resume() }
            }
        } onCancel: {
            state.withLock { $0.waiters.removeValue(forKey: key) }?.continuation.resume()
        }
    }

    /// Returns when there are `count` or more.
    func wait(for count: Int) async { await wait { $0.count >= count } }
}
