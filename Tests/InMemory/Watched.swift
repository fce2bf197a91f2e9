import Synchronization
import WhirlCore

/// A value that others wait for: whoever changes it wakes those whose condition it now meets.
final class Watched<Value: Sendable>: Sendable {
    private struct Waiter {
        let condition: @Sendable (Value) -> Bool
        let continuation: CheckedContinuation<Value, Never>
    }
    private struct State {
        var value: Value
        var waiters: [Int: Waiter] = [:]
        var last = 0
    }
    private let state: Mutex<State>

    init(_ value: Value) { state = Mutex(State(value: value)) }

    var value: Value { state.withLock { $0.value } }

    func change<Result: Sendable>(_ body: (inout Value) -> Result) -> Result {
        let (result, met) = state.withLock { state -> (Result, [(Waiter, Value)]) in
            let result = body(&state.value)
            guard !state.waiters.isEmpty else { return (result, []) }
            let met = state.waiters.filter { $0.value.condition(state.value) }
            for key in met.keys { state.waiters[key] = nil }
            return (result, met.values.map { ($0, state.value) })
        }
        for (waiter, value) in met { waiter.continuation.resume(returning: value) }
        return result
    }

    /// The value as soon as it meets `condition`, or as it is when the waiting task is cancelled.
    ///
    /// `condition` is called under the lock, by whoever changes the value.
    func until(_ condition: @escaping @Sendable (Value) -> Bool) async -> Value {
        let key = state.withLock { state in
            state.last += 1
            return state.last
        }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let value = state.withLock { state -> Value? in
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
