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
        /// A file of the server's name is there.
        case existing(ExistingFile)
        case failed(TransferError)
        case halted(Halt)
    }

    struct State {
        var exchange: (any Exchange)?
        var head: ResponseHead?
        var judgement: HeadJudgement?
        /// Where the file goes.
        var path: String
        /// What is there under the server's name for the file.
        var there: ExistingFile?
        /// When the head came.
        var headAt: UInt64 = 0
        /// What the server says its bytes hash to.
        var served: [DigestAlgorithm: String] = [:]
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
    /// What is in hand; nil: nothing of use.
    let point: ResumePoint?
    /// What the exchange was asked to continue of it; nil: nothing.
    let asked: ResumePoint?
    /// Which of the request's URLs led here: 0 is its own.
    let mirror: Int
    /// Where the exchange was sent.
    let source: SourceURL
    /// What the file has that is there; nil: it was not asked for a newer one.
    let marks: FileMarks?
    /// How many redirects led here.
    let redirects: Int
    let started: UInt64
    let session: Session
    let state: Mutex<State>

    // For the tick, which reads them while bytes come.
    let received: Atomic<Int64>
    let total = Atomic<Int64>(-1)
    let activity = Atomic<Int>(0)
    let phase = Atomic<UInt8>(0)
    let moved = Atomic<Int64>(0)
    /// Bytes are being written, which may wait for their reader: the server is not to blame.
    let isWriting = Atomic<Bool>(false)

    init(
        _ task: SessionTask, _ source: SourceURL, mirror: Int = 0, continuing point: ResumePoint?,
        unlike marks: FileMarks?, redirects: Int, sink: (any ByteSink)?, session: Session
    ) {
        self.mirror = mirror
        asked = point?.at(mirror, hasDigest: !task.request.digests.isEmpty)
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
                path: task.destination.path, isProven: asked.map { $0.validator != nil } ?? true, sink: sink,
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
        let judgement = HeadJudgement(head, continuing: asked, isConditional: marks != nil)
        let now = session.clock.now
        let isHalted = state.withLock { state in
            guard state.halt == nil else { return true }
            state.head = head
            state.headAt = now
            state.judgement = judgement
            return false
        }
        guard !isHalted else { return .abort }  // it must not touch the bytes in hand any more
        task.keep(head)
        guard case .receive(let offset, let total, let reason) = judgement else { return .discard }
        let restart = reason ?? (asked == nil && point != nil ? "other_url" : nil)
        do throws(TransferError) {
            guard try isWanted(head, total, restart) else { return .abort }
            // The counters first: a tick must not tell of the bytes again that are thrown away.
            received.store(offset, ordering: .relaxed)
            self.total.store(total ?? -1, ordering: .relaxed)
            if let restart { session.restart(task, reason: restart, lost: point?.offset ?? 0) }
            try begin(head, at: offset, total)
            return .accept
        } catch {
            note(error)
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
        case .taken(let there):
            state.withLock { $0.there = there }
            return false
        }
    }

    private func begin(_ head: ResponseHead, at offset: Int64, _ total: Int64?) throws(TransferError) {
        var served = ServedDigests.of(head)
        // An answer with a part of the same file need not repeat what it hashes to.
        if offset > 0, served.isEmpty, let asked, asked.validator != nil { served = asked.served }
        let (sink, isProven) = state.withLock { state in
            if offset == 0 { state.isProven = true }
            if !served.isEmpty { state.served = served }
            return (state.sink, state.isProven)
        }
        let isChecked = !served.isEmpty || !task.request.digests.isEmpty
        let algorithms = isChecked ? Set(task.request.digests.keys).union(served.keys) : []
        let validator = isProven && PartFile.keepsState(total) ? Validator(head) : nil
        let plan = BodyPlan(
            total: total, validator: validator, served: served, url: mirror > 0 ? task.source(mirror)?.exchange : nil,
            algorithms: algorithms)
        try sink?.begin(at: offset, plan)
    }

    func body(_ bytes: borrowing RawSpan) -> BodyVerdict {
        let count = Int64(bytes.byteCount)
        isWriting.store(true, ordering: .relaxed)
        defer { isWriting.store(false, ordering: .releasing) }
        activity.add(1, ordering: .relaxed)
        let now = received.load(ordering: .relaxed) + count
        let (sink, isHalted, isThrottled) = state.withLock { ($0.sink, $0.halt != nil, $0.throttle?.isOn == true) }
        guard let sink, !isHalted else { return .stop }
        if isThrottled, !mayPass(bytes.byteCount) { return .full }
        moved.add(count, ordering: .relaxed)
        do throws(TransferError) {
            if let limit = session.configuration.maxSize, now > limit { throw tooLarge(now, limit) }
            if let size = task.request.size, now > size { throw otherSize(now, size) }
            let total = total.load(ordering: .relaxed)
            if total >= 0, now > total {
                throw TransferError(.malformed, "the server sends more than the \(total) bytes it told of")
            }
            try sink.write(bytes, isLast: now == total)
        } catch {
            note(error)
            return .stop
        }
        received.store(now, ordering: .relaxed)
        return .more
    }

    /// What fails once the exchange is to end follows from that: its sink was abandoned.
    private func note(_ failure: TransferError) {
        state.withLock { if $0.halt == nil || $0.halt == .suspended { $0.failure = failure } }
    }

    private func tooLarge(_ count: Int64, _ limit: Int64) -> TransferError {
        TransferError(
            .tooLarge, "the file has \(count) bytes or more, and \(limit) are allowed; raise --max-size to have it")
    }

    private func otherSize(_ count: Int64, _ size: Int64) -> TransferError {
        TransferError(
            .digestMismatch, "the file has \(count) bytes or more, not \(size); look whether that size is right")
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
        switch state.judgement {
        case .redirect(let location): return .redirected(status: state.head?.status ?? 0, location: location)
        case .askAgain(let reason): return .askAgain(reason: reason)
        case .fail(let error): return .failed(named(error))
        case .complete: return .complete(status: 416, timings: outcome.timings)
        case .notModified: return .skipped(reason: "not_modified")
        case .receive:
            if let there = state.there { return .existing(there) }
        case nil: break
        }
        if case .failed(let error) = state.halt { return .failed(error) }
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

    func named(_ error: TransferError) -> TransferError {
        var error = error
        if error.transport == nil { error.transport = session.configuration.transportName }
        return error
    }
}

extension TaskPhase {
    private static let all = [TaskPhase.connecting] + allCases.filter { $0 != .connecting }

    /// A number for an `Atomic`; 0 is `connecting`, where every exchange begins.
    var number: UInt8 { UInt8(Self.all.firstIndex(of: self) ?? 0) }
    init(number: UInt8) { self = Self.all[Int(number)] }
}
