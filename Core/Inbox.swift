import Synchronization

/// How many progress updates of others a posting thread delivers before it leaves the rest to the next poster.
let patience = 8

/// Keeps the updates of one observation in order; whoever posts delivers, one thread at a time.
final class Inbox: UpdateSink {
    /// By reference: a call costs no copy of it.
    private final class Handler: Sendable {
        let call: @Sendable (TaskUpdate) -> Void

        init(_ call: @escaping @Sendable (TaskUpdate) -> Void) { self.call = call }
    }
    private struct State {
        var outbox = Outbox<TaskUpdate>(isTaken: true)
        var handler: Handler?

        /// What is called next, unless nobody is; the caller's copy of the handler lives until the call has returned.
        mutating func call(with update: TaskUpdate?) -> Handler? {
            guard let update, let handler else { return nil }
            if update.isTerminal { self.handler = nil }
            return handler
        }
    }
    private let state: Mutex<State>

    init(_ handler: @escaping @Sendable (TaskUpdate) -> Void) {
        state = Mutex(State(handler: Handler(handler)))
    }

    var isPrompt: Bool { false }

    func accept(_ update: TaskUpdate, generation: UInt64) -> Bool {
        state.withLock { state in
            guard state.handler != nil else { return false }
            state.outbox.put(update)
            return true
        }
    }

    func deliver() { run(isFirst: false) }

    /// For the maker, who has the turn.
    func deliverFirst() { run(isFirst: true) }

    private func run(isFirst: Bool) {
        var hasTurn = isFirst
        var left = patience
        var update: TaskUpdate?
        while true {
            let (handler, isAsked) = state.withLock { state -> (Handler?, Bool) in
                if left <= 0 && state.outbox.holdsOnlyProgress { return (nil, state.outbox.pause()) }
                update = hasTurn ? state.outbox.next() : state.outbox.begin()
                return (state.call(with: update), false)
            }
            hasTurn = true
            if isAsked { Task.detached { self.deliver() } }
            guard let handler, let update else { return }
            handler.call(update)
            if update.isProgress { left -= 1 }
        }
    }

    func close() {
        let gone = state.withLock { state in (state.handler.take(), state.outbox.clear()) }
        withExtendedLifetime(gone) {}
    }
}
