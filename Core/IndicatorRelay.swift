import Synchronization

/// How many calls one turn of an actor makes before others on that actor get a chance.
let callsPerTurn = 32

/// Keeps the calls of one indicator in order, over all the tasks it is bound to one after the other.
final class IndicatorRelay: UpdateSink {
    fileprivate struct State {
        var generation: UInt64 = 0
        weak var core: TaskCore?
        var audience: Audience?
        var isRunning = false
        var progress: TransferProgress?
        var outbox = Outbox<IndicatorCall>()
        /// The turn on an actor that is under way.
        var visit = Visit()
    }
    /// A turn on an actor: the calls are taken by code of the indicator's.
    fileprivate struct Visit {
        var generation: UInt64 = 0
        var callsLeft = 0
        var hasLooked = false
        /// Something was stored while it was under way.
        var hasNews = false
    }
    private let state = Mutex(State())
    /// Whether there may be something to deliver: most events of a task are none of the indicator's business.
    private let isWaiting = Atomic(false)

    var isPrompt: Bool { true }

    // MARK: binding

    /// Makes void everything stored or posted for the task before, then subscribes to this one.
    func follow(_ core: TaskCore?, _ audience: Audience?, stopping: Bool) {
        let (generation, old, gone) = state.withLock { state in
            let gone = (state.outbox.clear(), state.audience)
            let old = state.core
            state.generation += 1
            state.core = core
            if let audience { state.audience = audience }
            state.progress = nil
            if stopping { state.outbox.put(.stop) }
            return (state.generation, old, gone)
        }
        withExtendedLifetime(gone) {}
        core?.attach(self, generation: generation)
        old?.detach(self, generation: generation - 1)
    }

    // MARK: the task's side

    func accept(_ update: TaskUpdate, generation: UInt64, handsOver: Bool) -> Acceptance {
        state.withLock { state in
            guard generation == state.generation, let audience = state.audience else { return .refused }
            let now = update.snapshot
            if audience.followsProgress && now.progress != state.progress {
                state.outbox.put(.progress(now.progress))
                state.progress = now.progress
            }
            let runs = now.state == .running
            if update.event == nil || runs != state.isRunning { state.outbox.put(runs ? .start : .stop) }
            state.isRunning = runs
            if !state.outbox.isEmpty { isWaiting.store(true, ordering: .releasing) }
            state.visit.hasNews = true
            return .stored
        }
    }

    /// Makes inline calls here and now; asks an actor for a turn.
    func deliverNow() { deliverInline(arriving: false) }

    /// The same, unless another poster is about to.
    func deliver() {
        if isWaiting.exchange(false, ordering: .acquiringAndReleasing) { deliverInline(arriving: false) }
    }

    private func deliverInline(arriving: Bool) {
        var step = state.withLock { $0.begin(at: .anywhere, arriving: arriving) }
        var left = patience
        while case .call(let call, .inline(let perform)) = step {
            perform(call)
            if call.isProgress { left -= 1 }
            step = state.withLock { $0.next(at: .anywhere, pausing: left <= 0 && $0.outbox.holdsOnlyProgress) }
        }
        ask(step)
    }

    // MARK: the actor's side

    @MainActor func deliverOnMain(arriving: Bool = false) {
        var step = state.withLock { $0.begin(at: .main, arriving: arriving) }
        var left = callsPerTurn
        while case .call(let call, .main(let perform)) = step {
            perform(call)
            left -= 1
            step = state.withLock { $0.next(at: .main, pausing: left == 0) }
        }
        ask(step)
    }

    private func deliverOnActor(_ deliver: @isolated(any) @Sendable (IndicatorCalls) async -> Void) async {
        guard state.withLock({ $0.beginOnActor() }) else { return deliverNow() }
        await deliver(IndicatorCalls(relay: self))
        ask(state.withLock { $0.endOnActor() })
    }

    func nextOnActor() -> IndicatorCall? {
        state.withLock { $0.takeOnActor() }
    }

    private func ask(_ step: Step) {
        guard case .ask(let delivery) = step else { return }
        switch delivery {
        case .inline: Task.detached { self.deliverInline(arriving: true) }
        case .main: Task.detached(priority: .high) { @MainActor in self.deliverOnMain(arriving: true) }
        case .actor(let deliver): Task.detached(priority: .high) { await self.deliverOnActor(deliver) }
        }
    }
}

private enum Step {
    case call(IndicatorCall, Delivery)
    case ask(Delivery)
    case done
}

extension IndicatorRelay.State {
    /// The first call, for someone who may make it at `place`.
    ///
    /// `arriving`: the turn that was asked for has come.
    fileprivate mutating func begin(at place: Delivery.Place, arriving: Bool) -> Step {
        if arriving { outbox.arrive() }
        guard let audience else { return .done }
        guard audience.delivery.place == place else { return outbox.ask() ? .ask(audience.delivery) : .done }
        return outbox.begin().map { .call($0, audience.delivery) } ?? .done
    }

    /// The next call, for whoever has the turn: looked up when it is about to be made, so an older task's is gone.
    fileprivate mutating func next(at place: Delivery.Place, pausing: Bool) -> Step {
        guard let audience else {
            _ = outbox.pause()
            return .done
        }
        guard audience.delivery.place == place, !pausing else {
            return outbox.pause() ? .ask(audience.delivery) : .done
        }
        return outbox.next().map { .call($0, audience.delivery) } ?? .done
    }

    /// False when there is nothing to do on that actor.
    fileprivate mutating func beginOnActor() -> Bool {
        outbox.arrive()
        visit = IndicatorRelay.Visit(generation: generation, callsLeft: callsPerTurn)
        return audience?.delivery.place == .actor && outbox.claim()
    }

    fileprivate mutating func takeOnActor() -> IndicatorCall? {
        guard audience?.delivery.place == .actor else { return nil }
        visit.hasLooked = true
        guard visit.callsLeft > 0 else { return nil }
        visit.callsLeft -= 1
        return outbox.take()
    }

    /// Asks for another turn when there is more, but not on behalf of someone who does not even look: not until there is
    /// news.
    fileprivate mutating func endOnActor() -> Step {
        if !visit.hasLooked, !visit.hasNews, visit.generation == generation {
            outbox.rest()
            return .done
        }
        return next(at: .actor, pausing: true)
    }
}
