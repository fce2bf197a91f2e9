import Synchronization

/// A value that threads share and tests wait for: whoever changes it wakes those whose condition it now meets.
package final class Shared<Value: Sendable>: Sendable {
    private struct State {
        var value: Value
        var waiters: [Int: Waiter] = [:]
        var nextWaiter = 0
    }

    private struct Waiter {
        let condition: @Sendable (Value) -> Bool
        let continuation: CheckedContinuation<Value, Never>
    }

    private let state: Mutex<State>

    package init(_ value: Value) { state = Mutex(State(value: value)) }

    package var value: Value { state.withLock { $0.value } }

    /// Changes the value; `body` is called under the lock.
    @discardableResult
    package func change<Result: Sendable>(_ body: (inout Value) -> Result) -> Result {
        let (result, met, value) = state.withLock { state in
            let result = body(&state.value)
            guard !state.waiters.isEmpty else { return (result, [Waiter](), Value?.none) }
            let met = state.waiters.filter { $0.value.condition(state.value) }
            for key in met.keys { state.waiters[key] = nil }
            return (result, Array(met.values), met.isEmpty ? nil : state.value)
        }
        if let value {
            for waiter in met { waiter.continuation.resume(returning: value) }
        }
        return result
    }

    /// Returns the value as soon as it meets `condition`, or as it is when the waiting task is cancelled.
    ///
    /// `condition` is called under the lock, by whoever changes the value.
    @discardableResult
    package func until(_ condition: @escaping @Sendable (Value) -> Bool) async -> Value {
        let key = state.withLock { state in
            state.nextWaiter += 1
            return state.nextWaiter
        }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let value: Value? = state.withLock { state in
                    if Task.isCancelled || condition(state.value) { return state.value }
                    state.waiters[key] = Waiter(condition: condition, continuation: continuation)
                    return nil
                }
                if let value { continuation.resume(returning: value) }
            }
        } onCancel: {
            let (waiter, value) = state.withLock { ($0.waiters.removeValue(forKey: key), $0.value) }
            waiter?.continuation.resume(returning: value)
        }
    }
}
