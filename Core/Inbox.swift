import Synchronization

/// How many progress updates of others a posting thread delivers before it leaves the rest to the next poster.
let patience = 8

/// Keeps the updates of one observation in order; whoever posts delivers, one thread at a time.
final class Inbox: UpdateSink {
    /// By reference: a call costs no copy of it.
    fileprivate final class Handler: Sendable {
        let call: @Sendable (TaskUpdate) -> Void

        init(_ call: @escaping @Sendable (TaskUpdate) -> Void) { self.call = call }
    }
    private struct State {
        var outbox = Outbox<TaskUpdate>(isTaken: true)
        var handler: Handler?

        /// What is called with the update; the caller's copy of the handler lives until the call has returned.
        mutating func call(with update: TaskUpdate) -> Handler? {
            defer { if update.isTerminal { handler = nil } }
            return handler
        }
    }
    private let state: Mutex<State>
    private let isClosed = Atomic(false)

    init(_ handler: @escaping @Sendable (TaskUpdate) -> Void) {
        state = Mutex(State(handler: Handler(handler)))
    }

    var isPrompt: Bool { false }

    func accept(_ update: TaskUpdate, generation: UInt64, handsOver: Bool) -> Acceptance {
        state.withLock { state in
            guard state.handler != nil else { return .refused }
            if handsOver, state.outbox.claimEmpty(), let handler = state.call(with: update) {
                return .turn(InboxTurn(inbox: self, handler: handler, update: update))
            }
            state.outbox.put(update)
            return .stored
        }
    }

    func deliver() { run(hasTurn: false, left: patience) }

    /// For the maker, who has the turn.
    func deliverFirst() { run(hasTurn: true, left: patience) }

    /// For the poster, who has the turn: the update, then what came meanwhile.
    fileprivate func deliver(_ update: TaskUpdate, to handler: Handler) {
        guard !isClosed.load(ordering: .acquiring) else { return }
        handler.call(update)
        run(hasTurn: true, left: update.isProgress ? patience - 1 : patience)
    }

    private func run(hasTurn: Bool, left: Int) {
        var (hasTurn, left) = (hasTurn, left)
        while true {
            let (next, isAsked) = state.withLock { state -> ((Handler, TaskUpdate)?, Bool) in
                if left <= 0 && state.outbox.holdsOnlyProgress { return (nil, state.outbox.pause()) }
                guard let update = hasTurn ? state.outbox.next() : state.outbox.begin(),
                    let handler = state.call(with: update)
                else { return (nil, false) }
                return ((handler, update), false)
            }
            hasTurn = true
            if isAsked { Task.detached { self.deliver() } }
            guard let (handler, update) = next else { return }
            handler.call(update)
            if update.isProgress { left -= 1 }
        }
    }

    func close() {
        isClosed.store(true, ordering: .releasing)
        let gone = state.withLock { state in (state.handler.take(), state.outbox.clear()) }
        withExtendedLifetime(gone) {}
    }
}

/// The right to make the next call of an observation, and the duty: no queue keeps the update.
struct InboxTurn: ~Copyable {
    fileprivate let inbox: Inbox
    fileprivate let handler: Inbox.Handler
    fileprivate let update: TaskUpdate

    consuming func deliver() { inbox.deliver(update, to: handler) }
}
