public import WhirlCore

/// What a task went through since its first slot.
public struct TaskHistory: Sendable {
    /// One try.
    public struct Attempt: Equatable, Sendable {
        /// From 1.
        public var number: Int
        /// Seconds of the run when it began.
        public var began: Double
        /// Bytes in hand when it began.
        public var offset: Int64
        /// How long it took, in seconds; nil while it goes on.
        public var duration: Double?
        /// Why it failed; nil when it did not.
        public var error: TransferError?
    }

    /// A stay in one phase.
    public struct Stay: Equatable, Sendable {
        /// Which.
        public var phase: TaskPhase
        /// How long, in seconds, as far as the board was told: phases of some milliseconds may be missing.
        public var duration: Double
    }

    /// The last 20 tries, the newest last.
    public var attempts: [Attempt] = []
    /// What the newest try went through, in order.
    public var phases: [Stay] = []
    /// Where the server sent the task, the newest last: status and cleaned URL.
    public var redirects: [String] = []
    /// Why bytes in hand were thrown away, the newest last, cleaned.
    public var restarts: [String] = []
    /// The head of the newest answer.
    var head: ResponseHead?
    /// When the newest phase began; nil when none goes on.
    private var since: UInt64?

    private static let most = 20

    init() {}

    /// Of the newest answer the status and the fields that matter to people, cleaned, such as `etag: "1"`.
    public var answer: [String] {
        guard let head else { return [] }
        let version = head.version == .unknown ? "" : "/" + head.version.rawValue
        let names: [StaticString] = [
            "content-type", "content-length", "content-range", "content-encoding", "accept-ranges", "etag",
            "last-modified", "retry-after", "age", "server",
        ]
        return ["HTTP\(version) \(head.status)"]
            + names.compactMap { name in head[name].map { clean("\(name): \($0)") } }
    }

    // MARK: what happens

    mutating func note(_ event: TaskEvent, _ snapshot: TaskSnapshot, elapsed: Double, at now: UInt64) {
        switch event {
        case .attempt:
            finish(elapsed, nil)
            phases = []
            since = nil
            Self.keep(
                Attempt(number: snapshot.attempt, began: elapsed, offset: snapshot.offset), in: &attempts)
            enter(snapshot.phase, at: now)
        case .redirected(let status, let url): Self.keep("\(status) \(clean(url))", in: &redirects)
        case .restarted(let reason):
            Self.keep(clean(reason), in: &restarts)
            if !attempts.isEmpty { attempts[attempts.count - 1].offset = snapshot.offset }
        case .retrying(_, let error): leave(elapsed, error, at: now)
        case .suspended: leave(elapsed, nil, at: now)
        case .ended(.failed(let error)): leave(elapsed, error, at: now)
        case .ended: leave(elapsed, nil, at: now)
        case .resumed, .progress, .canceling: break
        }
    }

    /// The task is in that phase now, of the try that goes on.
    mutating func enter(_ phase: TaskPhase, at now: UInt64) {
        // Between tries it stays nowhere.
        guard attempts.last?.duration == nil, ![.queued, .backoff, .paused].contains(phase) else { return }
        guard phases.last?.phase != phase || since == nil else { return }
        pass(now)
        Self.keep(Stay(phase: phase, duration: 0), in: &phases)
        since = now
    }

    /// The same with the newest phase's duration until now.
    func seen(at now: UInt64) -> TaskHistory {
        var seen = self
        seen.pass(now)
        seen.since = nil
        return seen
    }

    private mutating func pass(_ now: UInt64) {
        guard let since, !phases.isEmpty else { return }
        phases[phases.count - 1].duration += seconds(from: since, to: now)
        self.since = now
    }

    private mutating func leave(_ elapsed: Double, _ error: TransferError?, at now: UInt64) {
        pass(now)
        since = nil
        finish(elapsed, error)
    }

    private mutating func finish(_ elapsed: Double, _ error: TransferError?) {
        guard let last = attempts.last, last.duration == nil else { return }
        attempts[attempts.count - 1].duration = max(0, elapsed - last.began)
        attempts[attempts.count - 1].error = error
    }

    private static func keep<Element>(_ element: Element, in list: inout [Element]) {
        if list.count == most { list.removeFirst() }
        list.append(element)
    }
}
