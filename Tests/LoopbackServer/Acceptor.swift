import Glibc
import Synchronization

/// Accepts connections, gives each a thread, and ends them all.
final class Acceptor: Sendable {
    private struct State {
        var isStopped = false
        var accepting: pthread_t?
        var sockets: [Int: Socket] = [:]
        var running: [Int: pthread_t] = [:]
        /// Threads that are about to return: joined before the next accept, so that their stacks do not pile up.
        var ended: [pthread_t] = []
    }

    let ledger = Watched(ServerRecord())
    private let listener: Socket
    private let began = ContinuousClock.now
    private let route: @Sendable (ReceivedRequest) -> Route
    private let state = Mutex(State())

    init(_ listener: Socket, route: @escaping @Sendable (ReceivedRequest) -> Route) {
        self.listener = listener
        self.route = route
    }

    deinit { listener.close() }

    func start() throws {
        let thread = try Thread.start { self.accept() }
        state.withLock { $0.accepting = thread }
    }

    private func accept() {
        while let socket = listener.accept() {
            let ended = state.withLock { state in
                defer { state.ended = [] }
                return state.ended
            }
            for thread in ended { Thread.join(thread) }
            let number = ledger.change { record in
                record.connections += 1
                record.openConnections += 1
                return record.connections - 1
            }
            // The thread is made under the lock, so that it finds its own entry when it ends.
            state.withLock { state in
                state.sockets[number] = socket
                if state.isStopped { socket.shutDown() }
                state.running[number] = try? Thread.start { self.converse(socket, number) }
                if state.running[number] == nil { close(number, &state) }
            }
        }
    }

    private func converse(_ socket: Socket, _ number: Int) {
        var conversation = Conversation(socket, connection: number, began: began, ledger: ledger, route: route)
        conversation.run()
        state.withLock { state in
            close(number, &state)
            if let thread = state.running.removeValue(forKey: number) { state.ended.append(thread) }
        }
        ledger.change { $0.openConnections -= 1 }
    }

    /// Under the lock, so that `stop` never shuts down a descriptor that belongs to someone else by then.
    private func close(_ number: Int, _ state: inout State) {
        state.sockets.removeValue(forKey: number)?.close()
    }

    func stop() {
        let accepting = state.withLock { state in
            state.isStopped = true
            for socket in state.sockets.values { socket.shutDown() }
            return state.accepting.take()
        }
        listener.shutDown()
        guard let accepting else { return }
        Thread.join(accepting)
        while let thread = state.withLock({ state in state.ended.popLast() ?? state.running.popFirst()?.value }) {
            Thread.join(thread)
        }
    }
}
