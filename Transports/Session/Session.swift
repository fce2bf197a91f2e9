import Synchronization
public import WhirlCore

/// Turns requests into tasks over one transport: slots, attempts, redirects, timers and destinations.
///
/// - Every call may come from any thread; none but `room()` and `finish(exit:)` waits for anything.
/// - A task has exactly one terminal event; a file has its name only when it is whole.
public final class Session: Sendable {
    let transport: any Transport
    let configuration: SessionConfiguration
    let frontends: [any Frontend]
    let clock: any SessionClock
    let random: @Sendable () -> Double
    let began: UInt64
    let state: Mutex<SessionState>
    let claims: Mutex<Claims>
    let finishers = Finishers()
    let behind = WriteBehind()
    let commonFields: [HTTPField]
    /// What all exchanges draw from; nil over a transport that can't hold bytes back.
    let bucket: SharedBucket?

    /// A session that shows what happens on `frontends`.
    ///
    /// They are opened here: this throws what they throw. `check` has let requests pass that will be added with their
    /// admissions; nil: none. `random` gives numbers from 0 to below 1, for the jitter of retries.
    ///
    /// - Throws: `unsupported` for a rate limit over a transport that can't hold bytes back.
    public init(
        transport: any Transport, configuration: SessionConfiguration = SessionConfiguration(),
        frontends: [any Frontend] = [], check: RequestCheck? = nil, clock: any SessionClock = SystemClock(),
        random: @escaping @Sendable () -> Double = { Double.random(in: 0..<1) }
    ) throws {
        self.transport = transport
        self.configuration = configuration
        self.frontends = frontends
        self.clock = clock
        self.random = random
        began = clock.now
        commonFields = RequestFields.common(configuration)
        bucket =
            transport.capabilities.contains(.backpressure)
            ? SharedBucket(rate: configuration.limitRate, now: began) : nil
        claims = Mutex(check?.claims ?? Claims())
        var initial = SessionState(configuration)
        initial.requests = check?.count ?? 0
        state = Mutex(initial)
        for field in configuration.fields { try RequestFields.check(field) }
        try checkRates()
        try open()
        record(
            .run(
                RunDescription(
                    version: configuration.version, transport: configuration.transportName, jobs: configuration.jobs)))
        if let deadline = configuration.deadline { watch(deadline) }
    }

    private func checkRates() throws(TransferError) {
        let isLimited = configuration.limitRate != nil || configuration.limitRatePerTask != nil
        guard isLimited, !transport.capabilities.contains(.backpressure) else { return }
        throw TransferError(
            .unsupported,
            "the transport \(configuration.transportName) can't hold a server back; to limit rates choose another with -t"
        )
    }

    private func watch(_ deadline: Double) {
        let error = TransferError(
            .timeout, "the run was to end within \(Seconds.text(deadline)); raise --deadline", isRetryable: false)
        clock.schedule(at: began + UInt64(max(0, min(deadline, 1e9)) * 1e9)) { [weak self] in
            self?.quit(.failed(error))
        }
    }

    /// Opens all frontends or none.
    private func open() throws {
        for (index, frontend) in frontends.enumerated() {
            do {
                try frontend.open { [weak self] in self?.perform($0) }
            } catch {
                for opened in frontends[..<index] { _ = opened.close() }
                throw error
            }
        }
    }

    // MARK: requests

    /// Accepts a request: its task starts when there is a slot.
    ///
    /// `admission` is what the session's check has found out of the same URL, mirrors and destination; nil: it is found
    /// out now.
    ///
    /// - Throws: `usage`, with no task made, for a request that a `RequestCheck` would not let pass beside those before it,
    ///   and when the run is over.
    @discardableResult
    public func add(
        _ request: TransferRequest, admission: RequestCheck.Admission? = nil
    ) throws(TransferError) -> any TransferTask {
        let admission = if let admission { admission } else { try admit(request) }
        let task = SessionTask(request, admission.destination, admission.source, admission.mirrors, session: self)
        guard accept(task) else { throw TransferError(.usage, "the run is over; start another") }
        return task
    }

    private func admit(_ request: TransferRequest) throws(TransferError) -> RequestCheck.Admission {
        // Those that the check has let pass are counted already.
        let index = state.withLock { state in
            state.requests += 1
            return state.requests
        }
        let admission = try RequestCheck.examine(request, index: request.number ?? index, configuration)
        try claims.withLock { claims throws(TransferError) in
            try RequestCheck.claim(request, admission.destination, &claims)
        }
        return admission
    }

    /// Accepts a request of which it is too late to complain: what is wrong with it is its task's failure, and so is
    /// `failure`, found by the caller.
    @discardableResult
    public func addAnyway(_ request: TransferRequest, failure: TransferError? = nil) -> any TransferTask {
        do throws(TransferError) {
            if let failure { throw failure }
            return try add(request)
        } catch {
            let path = if case .path(let path) = request.destination { path } else { "" }
            let task = SessionTask(request, Destination(regular: path), nil, session: self)
            accept(task, failure: error)
            return task
        }
    }

    /// False, with nothing done, when the run is over.
    @discardableResult
    func accept(_ task: SessionTask, failure: TransferError? = nil) -> Bool {
        guard state.withLock({ $0.announce(task.id) }) else { return false }
        begin(task, failure: failure)
        return true
    }

    /// The life of a task that was announced.
    func begin(_ task: SessionTask, failure: TransferError? = nil) {
        let id = task.id
        var outcome = failure.map(TaskOutcome.failed)
        if !frontends.isEmpty || configuration.isDone != nil {
            let description = Self.describe(task.request, task.source, task.destination)
            record(.created(id, description))
            if outcome == nil, isDone(task, description.key) { outcome = .skipped(reason: "journal") }
        }
        task.keep(task.life.observe { [self] in tell(task, $0) })
        let (starts, stop, early) = state.withLock { state in
            let starts = !state.startsPaused
            let entry = SessionState.Entry(task, wantsToRun: starts)
            state.untold += 1
            state.entries[id] = entry
            if outcome == nil, starts, state.stop == nil { state.enqueue(entry, first: false) }
            return (starts, state.stop, state.early.removeValue(forKey: id) ?? [])
        }
        if let outcome {
            end(task, outcome)
        } else if let stop {
            breakOff(id, stop.outcome)
        } else if starts {
            pump()
        } else {
            settle(task)
        }
        for command in early { perform(command) }
    }

    static func describe(
        _ request: TransferRequest, _ source: SourceURL?, _ destination: Destination
    ) -> TaskDescription {
        let url = source?.exchange ?? request.url
        return TaskDescription(
            url: Redaction.url(url), destination: destination.path,
            key: Digest.sha256(url + "\n" + destination.path, bytes: 8))
    }

    /// Returns when so few tasks are unfinished that more may be added, and a good many at once if it has to wait.
    public func room() async {
        await withCheckedContinuation { continuation in
            let hasRoom = state.withLock { state in
                if state.hasRoom(roomLimit) { return true }
                state.roomWaiters.append(continuation)
                return false
            }
            if hasRoom { continuation.resume() }
        }
    }

    /// Whether `room()` would return at once.
    public var hasRoom: Bool { state.withLock { $0.hasRoom(roomLimit) } }

    private var roomLimit: Int { max(1000, 4 * configuration.jobs) }
    /// Who adds is woken for many at a time.
    var lowWater: Int { roomLimit / 4 * 3 }

    // MARK: the end

    /// Returns when every task has ended and every frontend has shown it: sends `end`, with the exit code that `exit`
    /// makes of the summary (whose own is that of the table of codes), and closes the frontends.
    ///
    /// Exchanges that were cancelled get up to 2 s to fall silent. Call it once, when nothing more is added.
    public func finish(
        exit: @Sendable (RunSummary) -> Int32 = { $0.exit }
    ) async -> (summary: RunSummary, troubles: [FrontendTrouble]) {
        await withCheckedContinuation { continuation in
            let isIdle = state.withLock { state in
                state.idleWaiter = continuation
                return state.takeIdleWaiter()
            }
            isIdle?.resume()
        }
        await syncAllFolders()
        var summary = state.withLock { state in
            state.summary.exit = state.exit
            state.forgetFailures()  // their tasks hold the session
            return state.summary
        }
        summary.exit = exit(summary)
        record(.end(summary))
        let waiters = state.withLock { state in
            defer { state.closingWaiters = [] }
            return state.closingWaiters
        }
        for each in waiters { each.resume() }
        return (summary, frontends.compactMap { $0.close() })
    }

    private func syncAllFolders() async {
        guard state.withLock({ !$0.unsynced.isEmpty }) else { return }
        await withCheckedContinuation { continuation in
            finishers.perform { [self] in
                syncFolders()
                continuation.resume()
            }
        }
    }
}

extension SessionState {
    fileprivate func hasRoom(_ limit: Int) -> Bool { entries.count < limit || stop != nil }

    mutating func takeRoomWaiters(below limit: Int) -> [CheckedContinuation<Void, Never>] {
        guard entries.count < limit else { return [] }
        defer { roomWaiters = [] }
        return roomWaiters
    }

    /// The waiter, if its time has come.
    mutating func takeIdleWaiter() -> CheckedContinuation<Void, Never>? {
        guard untold == 0, early.isEmpty, (live == 0 && finishing == 0) || isPastGrace else { return nil }
        defer { idleWaiter = nil }
        if idleWaiter != nil { isOver = true }
        return idleWaiter
    }
}
