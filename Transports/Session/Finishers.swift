import Dispatch
import Synchronization

/// Threads for what may take long when a file is finished: syncing, and reading it again for a digest.
///
/// At most eight; each is made when it is first needed.
final class Finishers: Sendable {
    private static let most = 8

    private struct State {
        var queues: [DispatchQueue] = []
        var loads: [Int] = []
    }
    private let state = Mutex(State())

    /// Does it soon, on the thread that has the least to do.
    func perform(_ body: @escaping @Sendable () -> Void) {
        let (index, queue) = state.withLock { state in
            var index = state.loads.indices.min { state.loads[$0] < state.loads[$1] } ?? 0
            if state.loads.isEmpty || (state.loads[index] > 0 && state.queues.count < Self.most) {
                index = state.queues.count
                state.queues.append(DispatchQueue(label: "whirl.finisher.\(index)"))
                state.loads.append(0)
            }
            state.loads[index] += 1
            return (index, state.queues[index])
        }
        queue.async { [self] in
            body()
            state.withLock { $0.loads[index] -= 1 }
        }
    }
}
