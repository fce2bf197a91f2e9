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
        /// There was nothing to do after all.
        case skipped(reason: String)
        case failed(TransferError)
        case halted(Halt)
    }

    private struct State {
        var exchange: (any Exchange)?
        var head: ResponseHead?
        var judgement: HeadJudgement?
        /// Where the file goes.
        var path: String
        /// The server's name for the file is one that is there.
        var isThere = false
        /// Whether all bytes in hand are known to be of one file.
        var isProven: Bool
        var halt: Halt?
        var failure: TransferError?
        var sink: (any ByteSink)?
        var isOver = false
        var wasHeld = false
        /// Whether the body is to be held back.
        var isPaused = false
        var throttle: Throttle?
        /// For the tick: what it saw when it looked last.
        var watched = (activity: 0, since: UInt64(0))
    }

    let task: SessionTask
    /// What the exchange was asked to continue; nil: nothing.
    let point: ResumePoint?
    /// Where the exchange was sent.
    let source: SourceURL
    /// What the file has that is there; nil: it was not asked for a newer one.
    private let marks: FileMarks?
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
        _ task: SessionTask, _ source: SourceURL, continuing point: ResumePoint?, unlike marks: FileMarks?,
        redirects: Int, sink: (any ByteSink)?, session: Session
    ) {
        self.task = task
        self.source = source
        self.point = point
        self.marks = marks
        self.redirects = redirects
        self.session = session
        started = session.clock.now
        received = Atomic(point?.offset ?? 0)
        state = Mutex(
            State(
                path: task.destination.path, isProven: point.map { $0.validator != nil } ?? true, sink: sink,
                throttle: session.throttle(), watched: (0, started)))
    }

    // MARK: the transport's side

    func enter(_ phase: TaskPhase) {
        self.phase.store(phase.number, ordering: .relaxed)
        activity.add(1, ordering: .relaxed)
    }

    func head(_ head: ResponseHead) -> HeadVerdict {
        activity.add(1, ordering: .relaxed)
        phase.store(TaskPhase.receiving.number, ordering: .relaxed)
        let judgement = HeadJudgement(head, continuing: point, isConditional: marks != nil)
        let isHalted = state.withLock { state in
            guard state.halt == nil else { return true }
            state.head = head
            state.judgement = judgement
            return false
        }
        guard !isHalted else { return .abort }  // it must not touch the bytes in hand any more
        guard case .receive(let offset, let total, let restart) = judgement else { return .discard }
        do throws(TransferError) {
            guard try isWanted(head, total, restart) else { return .abort }
            // The counters first: a tick must not tell of the bytes again that are thrown away.
            received.store(offset, ordering: .relaxed)
            self.total.store(total ?? -1, ordering: .relaxed)
            if let restart { session.restart(task, reason: restart, lost: point?.offset ?? 0) }
            try begin(head, at: offset, total)
            return .accept
        } catch {
            state.withLock { $0.failure = error }
            return .abort
        }
    }

    /// False when the file is there; throws when it can't be the one that is wanted.
    private func isWanted(_ head: ResponseHead, _ total: Int64?, _ restart: String?) throws(TransferError) -> Bool {
        if let restart, session.configuration.resume == .strict { throw Self.changed(restart) }
        if let total {
            if let limit = session.configuration.maxSize, total > limit { throw tooLarge(total, limit) }
            if let size = task.request.size, total != size { throw otherSize(total, size) }
        }
        switch try session.place(task, head) {
        case .given: return true
        case .named(let path):
            state.withLock { $0.path = path }
            return true
        case .exists:
            state.withLock { $0.isThere = true }
            return false
        }
    }

    private func begin(_ head: ResponseHead, at offset: Int64, _ total: Int64?) throws(TransferError) {
        let (sink, isProven) = state.withLock { state in
            if offset == 0 { state.isProven = true }
            return (state.sink, state.isProven)
        }
        let algorithms = Set(task.request.digests.keys).union(ServedDigests.of(head).keys)
        let plan = BodyPlan(total: total, validator: isProven ? Validator(head) : nil, algorithms: algorithms)
        try sink?.begin(at: offset, plan)
    }

    func body(_ bytes: borrowing RawSpan) -> BodyVerdict {
        let count = Int64(bytes.byteCount)
        activity.add(1, ordering: .relaxed)
        let now = received.load(ordering: .relaxed) + count
        let (sink, isHalted, isThrottled) = state.withLock { ($0.sink, $0.halt != nil, $0.throttle != nil) }
        guard let sink, !isHalted else { return .stop }
        if isThrottled, !mayPass(bytes.byteCount) { return .full }
        moved.add(count, ordering: .relaxed)
        do throws(TransferError) {
            if let limit = session.configuration.maxSize, now > limit { throw tooLarge(now, limit) }
            if let size = task.request.size, now > size { throw otherSize(now, size) }
            try sink.write(bytes, isLast: now == total.load(ordering: .relaxed))
        } catch {
            state.withLock { $0.failure = error }
            return .stop
        }
        received.store(now, ordering: .relaxed)
        return .more
    }

    private func tooLarge(_ count: Int64, _ limit: Int64) -> TransferError {
        TransferError(.tooLarge, "the file has \(count) bytes or more; \(limit) are allowed (--max-size)")
    }

    private func otherSize(_ count: Int64, _ size: Int64) -> TransferError {
        TransferError(.digestMismatch, "the file has \(count) bytes or more; it should have \(size)")
    }

    /// Why a transfer that must go on where it was does not.
    static func changed(_ reason: String) -> TransferError {
        let why =
            switch reason {
            case "changed": "the file has changed at the server"
            case "ranges_ignored": "the server sends the file from its beginning only"
            case "no_validator": "nothing proves that the file is still the same"
            default: "what is there can't be continued (\(reason))"
            }
        return TransferError(.changed, "\(why); --resume auto would start over")
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
        case .notModified: return .skipped(reason: "not_modified")
        case .receive where state.isThere: return .skipped(reason: "exists")
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
        if let size = task.request.size, received != size { return .failed(otherSize(received, size)) }
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
        passAgain()
    }

    /// Ends the exchange; its ending says so unless it was over.
    func halt(_ halt: Halt) {
        let (exchange, sink) = state.withLock { state in
            if state.halt == nil || halt == .cancelled { state.halt = halt }
            return (state.exchange, state.sink)
        }
        if halt != .suspended { sink?.abandon() }
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

    // MARK: rates

    /// Whether so many bytes may pass now; if not, the transport is told when they may.
    private func mayPass(_ count: Int) -> Bool {
        let now = session.clock.now
        let verdict = state.withLock { $0.throttle?.judge(count, at: now) ?? .pass }
        switch verdict {
        case .pass: return true
        case .waitOn: return false
        case .wait(let instant):
            session.clock.schedule(at: instant) { [weak self] in self?.passAgain() }
            return false
        }
    }

    /// Lets bytes pass that had to wait for leave; a paused exchange stays so.
    private func passAgain() {
        let now = session.clock.now
        let exchange = state.withLock { state -> (any Exchange)? in
            guard !state.isPaused, let exchange = state.exchange, state.throttle?.mayGoOn(at: now) == true else {
                return nil
            }
            return exchange
        }
        exchange?.unpause()
    }

    /// A peer may have given up on a connection that was kept in a pause.
    var wasHeld: Bool { state.withLock { $0.wasHeld } }
    /// What it says of bytes in hand may be out of date.
    var isOver: Bool { state.withLock { $0.isOver } }

    /// Whether the connection can be kept in a pause, and whether the transfer could go on without it.
    var pausing: (canKeep: Bool, canContinue: Bool) {
        state.withLock { state in
            guard let head = state.head, case .receive = state.judgement else { return (false, true) }
            let canContinue = received.load(ordering: .relaxed) == 0 || resumePoint(state) != nil
            return (head.version != .http2 && head.version != .http3, canContinue)
        }
    }

    /// Body bytes that came in this exchange.
    var bytes: Int64 { moved.load(ordering: .relaxed) }
    var inHand: Int64 { received.load(ordering: .relaxed) }
    var sink: (any ByteSink)? { state.withLock { $0.sink } }

    /// Where another exchange could go on; nil: it has to start over.
    var resumePoint: ResumePoint? { state.withLock { resumePoint($0) } }

    private func resumePoint(_ state: borrowing State) -> ResumePoint? {
        let resume = session.configuration.resume
        guard resume != .never else { return nil }
        guard case .receive = state.judgement, let head = state.head, !state.isThere, state.failure == nil else {
            return point
        }
        let validator = state.isProven ? Validator(head) : nil
        guard validator != nil || resume == .unsafe || !task.request.digests.isEmpty else { return nil }
        let total = self.total.load(ordering: .relaxed)
        return ResumePoint(
            offset: received.load(ordering: .relaxed), validator: validator, total: total < 0 ? nil : total)
    }

    /// Seconds that the server asks to wait before another attempt; nil: it does not say.
    func retryAfter(wall: Int64) -> Double? {
        state.withLock { state in
            guard case .fail = state.judgement, let head = state.head else { return nil }
            return RetryAfter.seconds(head, wall: wall)
        }
    }

    /// What the bytes must be, as the request and the server have it.
    var expectations: [Expectation] {
        let served = state.withLock { $0.head }.map(ServedDigests.of) ?? [:]
        return [Expectation(digests: task.request.digests), Expectation(digests: served, isServers: true)]
            .filter { !$0.digests.isEmpty }
    }

    /// What the file gets with its name.
    var finish: Finish {
        let (head, path) = state.withLock { ($0.head, $0.path) }
        let configuration = session.configuration
        return Finish(
            path: path,
            modified: configuration.usesRemoteTime
                ? head.flatMap { $0["last-modified"] }.flatMap(HTTPDate.seconds) : nil,
            marks: configuration.refreshes
                ? head.flatMap { FileMarks($0, url: Redaction.url(task.request.url)) } : nil)
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
            // Who waits for leave to go on is not silent.
            if activity != state.watched.activity || state.throttle?.waits == true { state.watched = (activity, now) }
            return (state.head != nil, state.watched.since)
        }
        if hasHead {
            guard seconds(since, now) > limits.idleTimeout else { return nil }
            return named(TransferError(.stalled, "no byte came for \(Seconds.text(limits.idleTimeout))"))
        }
        let phase = TaskPhase(number: self.phase.load(ordering: .relaxed))
        let isConnecting = phasesAreKnown && [.resolving, .connecting, .tls].contains(phase)
        if isConnecting, seconds(started, now) > limits.connectTimeout {
            return named(
                TransferError(.timeout, "no connection to \(source.host) within \(Seconds.text(limits.connectTimeout))"))
        }
        let patience = phasesAreKnown ? limits.idleTimeout : max(limits.idleTimeout, limits.connectTimeout)
        guard !isConnecting, seconds(since, now) > patience else { return nil }
        return named(TransferError(.timeout, "\(source.host) did not answer within \(Seconds.text(patience))"))
    }

    /// A tick may have looked at the clock before the exchange began.
    private func seconds(_ from: UInt64, _ to: UInt64) -> Double { to > from ? Double(to - from) / 1e9 : 0 }
}

extension TaskPhase {
    private static let all = [TaskPhase.connecting] + allCases.filter { $0 != .connecting }

    /// A number for an `Atomic`; 0 is `connecting`, where every exchange begins.
    fileprivate var number: UInt8 { UInt8(Self.all.firstIndex(of: self) ?? 0) }
    fileprivate init(number: UInt8) { self = Self.all[Int(number)] }
}
