import Synchronization

/// The writing end of a task, for whoever makes tasks: pure transitions and observers, nothing else.
///
/// - Every call may come from any thread, even from inside an observer's handler; none waits for an observer.
/// - A change of state and the storing of its update for every observer happen in one step, so no observer sees a gap.
/// - Each call says whether it changed anything; after the terminal event nothing does.
/// - A task that is released before its end ends as cancelled, with the reason `abandoned`.
public final class TaskCore: Sendable {
    private struct Registration {
        let sink: any UpdateSink
        let generation: UInt64
    }
    private struct State {
        var snapshot = TaskSnapshot()
        var registrations: [Registration] = []  // prompt ones first
    }

    /// The task's name.
    public let id: TaskID
    private let state = Mutex(State())

    /// A task that is suspended and has not begun.
    public init() { id = TaskID.next() }

    /// The same for a task of a recorded run, by the name it had there: no other of the process may have that.
    public init(replaying id: TaskID) { self.id = id }

    deinit { end(.cancelled(reason: "abandoned")) }

    /// The reading end, for everyone.
    public var life: TaskLife { TaskLife(core: self) }
    /// The task as it is now.
    public var snapshot: TaskSnapshot { state.withLock { $0.snapshot } }
    /// How many are told of what happens: observations, sequences and bindings.
    public var observationCount: Int { state.withLock { $0.registrations.count } }

    // MARK: commands

    /// From suspended to running.
    @discardableResult public func resume() -> Bool { post(.resume) }

    /// From running to suspended.
    @discardableResult public func suspend(reason: String = "user") -> Bool { post(.suspend(reason: reason)) }

    /// From suspended or running to canceling.
    @discardableResult public func cancel() -> Bool { post(.cancel) }

    // MARK: reports

    /// A new try begins with `offset` bytes in hand: as many as before, or more.
    ///
    /// Where it begins with fewer, `restart` comes first. `url` is for one that does not go to the task's own URL, and
    /// must be redacted.
    @discardableResult public func beginAttempt(offset: Int64 = 0, url: String? = nil) -> Bool {
        post(.attempt(offset: offset, url: url))
    }

    /// The server sent the task elsewhere.
    ///
    /// The URL must be redacted.
    @discardableResult public func redirect(status: Int, url: String) -> Bool {
        post(.redirect(status: status, url: url))
    }

    /// Bytes in hand, a total (nil: unknown) and a phase.
    ///
    /// Fewer bytes than before are ignored until a restart is announced; the phase counts only while the task runs.
    @discardableResult
    public func report(received: Int64, total: Int64?, phase: TaskPhase = .receiving) -> Bool {
        post(.report(received: received, total: total, phase: phase))
    }

    /// Another phase, and no other change.
    @discardableResult public func enter(_ phase: TaskPhase) -> Bool { post(.phase(phase)) }

    /// The attempt failed; the next begins after `delay` seconds.
    @discardableResult public func retry(after delay: Double, error: TransferError) -> Bool {
        post(.retry(delay: delay, error: error))
    }

    /// The bytes in hand beyond `offset` are thrown away.
    @discardableResult public func restart(reason: String, offset: Int64 = 0) -> Bool {
        post(.restart(offset: offset, reason: reason))
    }

    /// The one terminal event; every later call is ignored.
    @discardableResult public func end(_ outcome: TaskOutcome) -> Bool { post(.end(outcome)) }

    private func post(_ move: TaskMove) -> Bool {
        // The one call that is made without a queue, and whose it is.
        var turn: InboxTurn?
        var place = -1
        // The copy keeps every sink alive past the lock: releasing one may run a stranger's deinit.
        let told = state.withLock { state -> [Registration]? in
            guard let event = state.snapshot.apply(move) else { return nil }
            let told = state.registrations
            guard !told.isEmpty else { return told }
            let update = TaskUpdate(event: event, snapshot: state.snapshot)
            // Whoever has the turn here must be the first whose handler may keep the poster: the others' do not wait for it.
            var isFirst = true
            for index in told.indices {
                let sink = told[index].sink
                switch sink.accept(update, generation: told[index].generation, handsOver: isFirst) {
                case .turn(let given):
                    turn = consume given
                    place = index
                case .refused: break
                case .stored: break
                }
                isFirst = isFirst && sink.isPrompt
            }
            if update.isTerminal { state.registrations = [] }
            return told
        }
        guard let told else { return false }
        for index in told.indices {
            if index == place {
                turn.take()?.deliver()
            } else {
                told[index].sink.deliver()
            }
        }
        return true
    }

    // MARK: observation

    /// Subscribes and stores the snapshot as the first update, in one step; delivers nothing.
    func attach(_ sink: any UpdateSink, generation: UInt64) {
        state.withLock { state in
            let first = TaskUpdate(event: nil, snapshot: state.snapshot)
            if case .refused = sink.accept(first, generation: generation, handsOver: false) { return }
            guard !first.isTerminal else { return }
            let registration = Registration(sink: sink, generation: generation)
            if sink.isPrompt, let place = state.registrations.firstIndex(where: { !$0.sink.isPrompt }) {
                state.registrations.insert(registration, at: place)
            } else {
                state.registrations.append(registration)
            }
        }
    }

    /// Forgets the sink; the caller keeps it alive, so nothing is released under the lock.
    func detach(_ sink: any UpdateSink, generation: UInt64) {
        state.withLock { $0.registrations.removeAll { $0.sink === sink && $0.generation == generation } }
    }
}
