import Synchronization
import WhirlCore

/// One exchange of a task: judges the head, hands the body to the sink, and finds out how it ended.
final class Attempt: ExchangeHandler {
    /// Why the session ends an exchange itself.
    enum Halt: Equatable, Sendable {
        case suspended, cancelled
        case failed(TransferError)
    }

    /// What came of the exchange.
    enum Ending: Equatable, Sendable {
        /// All bytes are in hand.
        case complete(status: Int, timings: ExchangeTimings?)
        case redirected(status: Int, location: String)
        case askAgain(reason: String)
        case failed(TransferError)
        case halted(Halt)
    }

    private struct State {
        var exchange: (any Exchange)?
        var head: ResponseHead?
        var judgement: HeadJudgement?
        var halt: Halt?
        var failure: TransferError?
        var sink: (any ByteSink)?
        var isOver = false
        var wasHeld = false
        /// Whether the body is to be held back.
        var isPaused = false
        /// For the tick: what it saw when it looked last.
        var watched = (activity: 0, since: UInt64(0))
    }

    let task: SessionTask
    /// What the exchange was asked to continue; nil: nothing.
    let point: ResumePoint?
    /// Where the exchange was sent.
    let source: SourceURL
    /// How many redirects led here.
    let redirects: Int
    let started: UInt64
    private let session: Session
    private let state: Mutex<State>

    // For the tick, which reads them while bytes come.
    private let received: Atomic<Int64>
    private let total = Atomic<Int64>(-1)
    private let activity = Atomic<Int>(0)
    private let phase = Atomic<UInt8>(0)
    private let moved = Atomic<Int64>(0)

    init(
        _ task: SessionTask, _ source: SourceURL, continuing point: ResumePoint?, redirects: Int, sink: (any ByteSink)?,
        session: Session
    ) {
        self.task = task
        self.source = source
        self.point = point
        self.redirects = redirects
        self.session = session
        started = session.clock.now
        received = Atomic(point?.offset ?? 0)
        state = Mutex(State(sink: sink, watched: (0, started)))
    }

    // MARK: the transport's side

    func enter(_ phase: TaskPhase) {
        self.phase.store(phase.number, ordering: .relaxed)
        activity.add(1, ordering: .relaxed)
    }

    func head(_ head: ResponseHead) -> HeadVerdict {
        activity.add(1, ordering: .relaxed)
        phase.store(TaskPhase.receiving.number, ordering: .relaxed)
        let judgement = HeadJudgement(head, continuing: point)
        let isHalted = state.withLock { state in
            guard state.halt == nil else { return true }
            state.head = head
            state.judgement = judgement
            return false
        }
        guard !isHalted else { return .abort }  // it must not touch the bytes in hand any more
        guard case .receive(let offset, let total, let restart) = judgement else { return .discard }
        // The counters first: a tick must not tell of the bytes again that are thrown away.
        received.store(offset, ordering: .relaxed)
        self.total.store(total ?? -1, ordering: .relaxed)
        if let restart { session.restart(task, reason: restart, lost: point?.offset ?? 0) }
        do {
            let sink = state.withLock { $0.sink } ?? session.makeSink(task)
            state.withLock { $0.sink = sink }
            try sink.begin(at: offset)
            return .accept
        } catch {
            state.withLock { $0.failure = error }
            return .abort
        }
    }

    func body(_ bytes: borrowing RawSpan) -> BodyVerdict {
        let count = Int64(bytes.byteCount)
        activity.add(1, ordering: .relaxed)
        moved.add(count, ordering: .relaxed)
        let now = received.load(ordering: .relaxed) + count
        let (sink, isHalted) = state.withLock { ($0.sink, $0.halt != nil) }
        guard let sink, !isHalted else { return .stop }
        do throws(TransferError) {
            try sink.write(bytes, isLast: now == total.load(ordering: .relaxed))
        } catch {
            state.withLock { $0.failure = error }
            return .stop
        }
        received.store(now, ordering: .relaxed)
        return .more
    }

    func end(_ outcome: ExchangeOutcome) {
        let ending = state.withLock { state in
            state.isOver = true
            state.exchange = nil
            return self.ending(outcome, state)
        }
        session.ended(self, ending)
    }

    /// Our own evidence first: what we asked for, what we saw, and only then what the transport says.
    private func ending(_ outcome: ExchangeOutcome, _ state: State) -> Ending {
        if let failure = state.failure { return .failed(failure) }
        if case .failed(let error) = state.halt { return .failed(error) }
        switch state.judgement {
        case .redirect(let location): return .redirected(status: state.head?.status ?? 0, location: location)
        case .askAgain(let reason): return .askAgain(reason: reason)
        case .fail(let error): return .failed(named(error))
        case .complete: return .complete(status: 416, timings: outcome.timings)
        case .receive, nil: break
        }
        switch outcome.result {
        case .failed(let error): return state.halt.map(Ending.halted) ?? .failed(named(error))
        case .cancelled:
            return state.halt.map(Ending.halted)
                ?? .failed(TransferError(.internal, "the transport ended an exchange that nobody cancelled"))
        case .finished: return finished(outcome, state)
        }
    }

    private func finished(_ outcome: ExchangeOutcome, _ state: State) -> Ending {
        guard let head = state.head else {
            return .failed(named(TransferError(.reset, "the server closed the connection before it had answered")))
        }
        let received = self.received.load(ordering: .relaxed)
        let total = self.total.load(ordering: .relaxed)
        guard total < 0 || received == total else {
            let text = "the body ended after \(received) of \(total) bytes"
            return .failed(named(TransferError(.truncated, text, status: head.status)))
        }
        return .complete(status: head.status, timings: outcome.timings)
    }

    private func named(_ error: TransferError) -> TransferError {
        var error = error
        if error.transport == nil { error.transport = session.configuration.transportName }
        return error
    }

    // MARK: the session's side

    /// The exchange has begun; one that was halted or paused meanwhile is so now.
    func begun(_ exchange: any Exchange) {
        let isHalted = state.withLock { state in
            if !state.isOver { state.exchange = exchange }
            return state.halt != nil
        }
        if isHalted { exchange.cancel() }
        settle()
    }

    /// Ends the exchange; its ending says so unless it was over.
    func halt(_ halt: Halt) {
        let exchange = state.withLock { state in
            if state.halt == nil || halt == .cancelled { state.halt = halt }
            return state.exchange
        }
        exchange?.cancel()
    }

    /// The body is to be held back, or not any more: said under the session's lock, done by `settle`.
    func hold(_ isPaused: Bool) {
        activity.add(1, ordering: .relaxed)
        state.withLock { state in
            state.wasHeld = true
            state.isPaused = isPaused
        }
    }

    /// Pauses or unpauses the exchange, whatever was said last, also while this is at work.
    func settle() {
        var done: Bool?
        while let (exchange, isPaused) = state.withLock({ state in
            state.wasHeld ? state.exchange.map { ($0, state.isPaused) } : nil
        }), isPaused != done {
            if isPaused { exchange.pause() } else { exchange.unpause() }
            done = isPaused
        }
    }

    /// A peer may have given up on a connection that was kept in a pause.
    var wasHeld: Bool { state.withLock { $0.wasHeld } }
    /// What it says of bytes in hand may be out of date.
    var isOver: Bool { state.withLock { $0.isOver } }

    /// Whether the connection can be kept in a pause, and whether the transfer could go on without it.
    var pausing: (canKeep: Bool, canContinue: Bool) {
        state.withLock { state in
            guard let head = state.head, case .receive = state.judgement else { return (false, true) }
            let canContinue = received.load(ordering: .relaxed) == 0 || Validator(head) != nil
            return (head.version != .http2 && head.version != .http3, canContinue)
        }
    }

    /// Body bytes that came in this exchange.
    var bytes: Int64 { moved.load(ordering: .relaxed) }
    var inHand: Int64 { received.load(ordering: .relaxed) }
    var sink: (any ByteSink)? { state.withLock { $0.sink } }

    /// Where another exchange could go on; nil without a strong validator.
    var resumePoint: ResumePoint? {
        state.withLock { state in
            guard case .receive = state.judgement, let head = state.head, let validator = Validator(head) else {
                return point
            }
            let total = self.total.load(ordering: .relaxed)
            return ResumePoint(
                offset: received.load(ordering: .relaxed), validator: validator, total: total < 0 ? nil : total)
        }
    }

    /// Tells the task how far it is.
    func report() {
        let total = self.total.load(ordering: .relaxed)
        task.core.report(
            received: inHand, total: total < 0 ? nil : total, phase: TaskPhase(number: phase.load(ordering: .relaxed)))
    }

    /// The error for an exchange that has been silent for too long; nil for one that has not.
    func overdue(at now: UInt64, _ limits: SessionConfiguration, phasesAreKnown: Bool) -> TransferError? {
        let (hasHead, since) = state.withLock { state in
            let activity = self.activity.load(ordering: .relaxed)
            if activity != state.watched.activity { state.watched = (activity, now) }
            return (state.head != nil, state.watched.since)
        }
        if hasHead {
            guard seconds(since, now) > limits.idleTimeout else { return nil }
            return named(TransferError(.stalled, "no byte came for \(shown(limits.idleTimeout))"))
        }
        let phase = TaskPhase(number: self.phase.load(ordering: .relaxed))
        let isConnecting = phasesAreKnown && [.resolving, .connecting, .tls].contains(phase)
        if isConnecting, seconds(started, now) > limits.connectTimeout {
            return named(
                TransferError(.timeout, "no connection to \(source.host) within \(shown(limits.connectTimeout))"))
        }
        let patience = phasesAreKnown ? limits.idleTimeout : max(limits.idleTimeout, limits.connectTimeout)
        guard !isConnecting, seconds(since, now) > patience else { return nil }
        return named(TransferError(.timeout, "\(source.host) did not answer within \(shown(patience))"))
    }

    /// A tick may have looked at the clock before the exchange began.
    private func seconds(_ from: UInt64, _ to: UInt64) -> Double { to > from ? Double(to - from) / 1e9 : 0 }
    private func shown(_ seconds: Double) -> String {
        seconds == seconds.rounded() && seconds < 1e9 ? "\(Int(seconds)) s" : "\(seconds) s"
    }
}

extension TaskPhase {
    private static let all = [TaskPhase.connecting] + allCases.filter { $0 != .connecting }

    /// A number for an `Atomic`; 0 is `connecting`, where every exchange begins.
    fileprivate var number: UInt8 { UInt8(Self.all.firstIndex(of: self) ?? 0) }
    fileprivate init(number: UInt8) { self = Self.all[Int(number)] }
}
