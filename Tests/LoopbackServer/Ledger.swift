import Synchronization

/// Keeps the record and tells those who wait for it.
final class Ledger: Sendable {
    private struct State {
        var record = ServerRecord()
        var waiters: [Int: Waiter] = [:]
        var nextWaiter = 0
    }

    private struct Waiter {
        let condition: @Sendable (ServerRecord) -> Bool
        let continuation: CheckedContinuation<ServerRecord, Never>
    }

    private let state = Mutex(State())

    var record: ServerRecord { state.withLock { $0.record } }

    func change<Result: Sendable>(_ body: (inout ServerRecord) -> Result) -> Result {
        let (result, met, record) = state.withLock { state in
            let result = body(&state.record)
            guard !state.waiters.isEmpty else { return (result, [Waiter](), ServerRecord?.none) }
            let met = state.waiters.filter { $0.value.condition(state.record) }
            for key in met.keys { state.waiters[key] = nil }
            return (result, Array(met.values), met.isEmpty ? nil : state.record)
        }
        if let record {
            for waiter in met { waiter.continuation.resume(returning: record) }
        }
        return result
    }

    func until(_ condition: @escaping @Sendable (ServerRecord) -> Bool) async -> ServerRecord {
        let key = state.withLock { state in
            state.nextWaiter += 1
            return state.nextWaiter
        }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let record: ServerRecord? = state.withLock { state in
                    if Task.isCancelled || condition(state.record) { return state.record }
                    state.waiters[key] = Waiter(condition: condition, continuation: continuation)
                    return nil
                }
                if let record { continuation.resume(returning: record) }
            }
        } onCancel: {
            let (waiter, record) = state.withLock { ($0.waiters.removeValue(forKey: key), $0.record) }
            waiter?.continuation.resume(returning: record)
        }
    }
}
