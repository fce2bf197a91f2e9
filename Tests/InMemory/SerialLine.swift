import Dispatch
import Synchronization
import WhirlCore

/// Runs pieces of work one at a time, in order, where its delivery says.
final class SerialLine: Sendable {
    private struct State {
        var work: [@Sendable () -> Void] = []
        var isRunning = false
    }
    private let state = Mutex(State())
    private let delivery: ScriptedTransport.Delivery
    private let queue = DispatchQueue(label: "whirl.scripted")

    init(_ delivery: ScriptedTransport.Delivery) { self.delivery = delivery }

    func post(_ work: @escaping @Sendable () -> Void) {
        switch delivery {
        case .thread:
            queue.async(execute: work)
        case .stepped:
            state.withLock { $0.work.append(work) }
        case .inline:
            state.withLock { $0.work.append(work) }
            run()
        }
    }

    /// Does what waits, unless another thread, or this one further out, is about it.
    func run() {
        let begins = state.withLock { state in
            defer { state.isRunning = true }
            return !state.isRunning
        }
        guard begins else { return }
        while let work = next() { work() }
    }

    private func next() -> (@Sendable () -> Void)? {
        state.withLock { state in
            guard !state.work.isEmpty else {
                state.isRunning = false
                return nil
            }
            return state.work.removeFirst()
        }
    }
}
