import Synchronization

/// How many progress updates of others a posting thread delivers before it leaves the rest to the next poster.
let patience = 8

/// Keeps the updates of one observation in order; whoever posts delivers, one thread at a time.
final class Inbox: UpdateSink {
    private typealias Call = (handler: @Sendable (TaskUpdate) -> Void, update: TaskUpdate)
    private struct State {
        var outbox = Outbox<TaskUpdate>(isTaken: true)
        var handler: (@Sendable (TaskUpdate) -> Void)?

        mutating func call(with update: TaskUpdate?) -> Call? {
            guard let update, let handler else { return nil }
            if update.isTerminal { self.handler = nil }  // the caller's copy lives until the call has returned
            return (handler, update)
        }
    }
    private let state: Mutex<State>

    init(_ handler: @escaping @Sendable (TaskUpdate) -> Void) {
        state = Mutex(State(handler: handler))
    }

    var isPrompt: Bool { false }

    func accept(_ update: TaskUpdate, generation: UInt64) -> Bool {
        state.withLock { state in
            guard state.handler != nil else { return false }
            state.outbox.put(update)
            return true
        }
    }

    func deliver() { run(from: state.withLock { $0.call(with: $0.outbox.begin()) }) }

    /// For the maker.
    func deliverFirst() { run(from: state.withLock { $0.call(with: $0.outbox.next()) }) }

    private func run(from first: Call?) {
        var due = first
        var left = patience
        while let call = due {
            call.handler(call.update)
            if call.update.isProgress { left -= 1 }
            let isAsked: Bool
            (due, isAsked) = state.withLock { state -> (Call?, Bool) in
                if left <= 0 && state.outbox.holdsOnlyProgress { return (nil, state.outbox.pause()) }
                return (state.call(with: state.outbox.next()), false)
            }
            if isAsked { Task.detached { self.deliver() } }
        }
    }

    func close() {
        let gone = state.withLock { state in (state.handler.take(), state.outbox.clear()) }
        withExtendedLifetime(gone) {}
    }
}
