import Synchronization
import WhirlCore

/// The session's side of an exchange.
extension Attempt {
    /// The exchange has begun; one that was halted or paused meanwhile is so now.
    func begun(_ exchange: any Exchange) {
        let (isHalted, isHeld, waits) = state.withLock { state in
            if !state.isOver { state.exchange = exchange }
            return (state.halt != nil, state.wasHeld, state.throttle?.waits == true)
        }
        if isHalted { exchange.cancel() }
        if isHeld { settle() }
        if waits { passAgain() }
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

    /// A peer may have given up on a connection that was kept in a pause.
    var wasHeld: Bool { state.withLock { $0.wasHeld } }
    /// It is to end, and takes the bytes that were under way: how many are in hand is known at its end, which comes soon.
    var takesLastBytes: Bool { state.withLock { $0.halt != nil } && isWriting.load(ordering: .acquiring) }
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
        guard case .receive = state.judgement, let head = state.head, state.there == nil, state.failure == nil else {
            return point
        }
        let validator = state.isProven ? Validator(head) : nil
        guard validator != nil || resume == .unsafe || !task.request.digests.isEmpty else { return nil }
        let total = self.total.load(ordering: .relaxed)
        return ResumePoint(
            offset: received.load(ordering: .relaxed), validator: validator, total: total < 0 ? nil : total,
            served: state.served, mirror: mirror)
    }

    /// Whether bytes of this exchange took the place of those in hand, and turned out to be wrong.
    var isSpoilt: Bool {
        state.withLock { state in
            if case .receive = state.judgement { state.failure != nil } else { false }
        }
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
        let served = state.withLock { $0.served }
        guard !served.isEmpty || !task.request.digests.isEmpty else { return [] }
        return [Expectation(digests: task.request.digests), Expectation(digests: served, isServers: true)]
            .filter { !$0.digests.isEmpty }
    }

    /// What the file gets with its name.
    var finish: Finish {
        let (head, path) = state.withLock { ($0.head, $0.path) }
        return Finish(
            path: path,
            modified: session.configuration.usesRemoteTime
                ? head.flatMap { $0["last-modified"] }.flatMap(HTTPDate.seconds) : nil,
            marks: session.configuration.refreshes
                ? head.flatMap { FileMarks($0, url: task.source(mirror)?.exchange ?? task.request.url) } : nil)
    }

    /// Tells the task how far it is.
    func report() {
        let total = self.total.load(ordering: .relaxed)
        task.core.report(
            received: inHand, total: total < 0 ? nil : total, phase: TaskPhase(number: phase.load(ordering: .relaxed)))
    }

    /// The error for an exchange that has been silent for too long; nil for one that has not.
    func overdue(at now: UInt64, _ limits: SessionConfiguration, phasesAreKnown: Bool) -> TransferError? {
        let (hasHead, since, swallows) = state.withLock { state in
            let activity = self.activity.load(ordering: .relaxed)
            // Who waits for leave to go on, or for a reader, is not silent.
            let waits = state.throttle?.waits == true || isWriting.load(ordering: .relaxed)
            if activity != state.watched.activity || waits { state.watched = (activity, now) }
            let swallows = if case .receive = state.judgement { false } else { state.head != nil }
            return (state.head != nil, state.watched.since, swallows && seconds(state.headAt, now) > Self.patience)
        }
        // The head has said it all: its body is read for the connection's sake only.
        if swallows { return named(TransferError(.stalled, "the rest of the answer is of no interest")) }
        if hasHead {
            guard seconds(since, now) > limits.idleTimeout else { return nil }
            return named(
                TransferError(.stalled, "no byte came for \(Seconds.text(limits.idleTimeout)) (--idle-timeout)"))
        }
        let phase = TaskPhase(number: self.phase.load(ordering: .relaxed))
        let isConnecting = phasesAreKnown && [.resolving, .connecting, .tls].contains(phase)
        if isConnecting, seconds(started, now) > limits.connectTimeout {
            return named(
                TransferError(
                    .timeout,
                    "no connection to \(source.host) within \(Seconds.text(limits.connectTimeout)) (--connect-timeout)")
            )
        }
        let patience = phasesAreKnown ? limits.idleTimeout : max(limits.idleTimeout, limits.connectTimeout)
        guard !isConnecting, seconds(since, now) > patience else { return nil }
        let text = "\(source.host) did not answer within \(Seconds.text(patience)) (--idle-timeout)"
        return named(TransferError(.timeout, text))
    }

    /// How long the body of an answer that brings no file may take, in seconds.
    private static var patience: Double { 5 }

    /// A tick may have looked at the clock before the exchange began.
    private func seconds(_ from: UInt64, _ to: UInt64) -> Double { to > from ? Double(to - from) / 1e9 : 0 }
}
