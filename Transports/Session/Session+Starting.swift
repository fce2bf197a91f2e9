import Glibc
import Synchronization
import WhirlCore

extension Session {
    /// Gives free slots to those who wait.
    ///
    /// One thread at a time does so, for all others too, until it sees nobody who may start: a transport that ends
    /// exchanges while they are being started makes no recursion.
    func pump() {
        let (begins, ticks) = state.withLock { state -> (Bool, Bool) in
            if state.isPumping { return (false, false) }
            state.isPumping = state.queue.hasRoom && state.queue.waiting > 0
            return (state.isPumping, state.beginsTicking())
        }
        if begins { while startNext() {} }
        if ticks { scheduleTick() }
    }

    /// More than this waits to be shown: no new task starts.
    private static var backlogLimit: Int { 64 << 20 }

    /// What a free slot is used for.
    fileprivate enum Start {
        case fresh(Beginning)
        case kept(SessionTask)
        /// There is someone, but not before that instant.
        case later(UInt64)
    }

    private func startNext() -> Bool {
        let isBehind = frontends.contains { $0.backlog > Self.backlogLimit }
        let now = clock.now
        let (start, dropped) = state.withLock { state -> (Start?, Attempt?) in
            let start = isBehind ? nil : state.takeStart(at: now)
            switch start {
            case .fresh, .kept: return (start, state.dropOneHeld())
            case .later, nil:
                state.isPumping = false
                return (start, nil)
            }
        }
        dropped?.halt(.suspended)
        switch start {
        case .fresh(let beginning): self.start(beginning)
        case .kept(let task): settle(task)
        case .later(let instant):
            clock.schedule(at: instant) { [weak self] in
                self?.state.withLock { $0.isPumpScheduled = false }
                self?.pump()
            }
            return false
        case nil: return false
        }
        return true
    }

    // MARK: one task

    private func start(_ beginning: Beginning) {
        let task = beginning.task
        if let error = beginning.lastError, let limit = configuration.retryMaxTime,
            Double(clock.now - min(clock.now, beginning.firstAttempt ?? .max)) / 1e9 > limit
        {
            return end(
                task, .failed(error.notTriedAgain("no new attempt after --retry-max-time, \(Seconds.text(limit))")))
        }
        guard !beginning.hasBegun else { return begin(beginning, restart: nil) }
        let there = ExistingFile(task, configuration)
        switch there.fate {
        case .fetch: prepare(beginning, unlike: nil)
        case .fetchUnlike(let marks): prepare(beginning, unlike: marks)
        case .end, .check: meet(there, task) { [self] in prepare(beginning, unlike: nil) }
        }
    }

    /// Looks at what an earlier run left, and begins.
    private func prepare(_ beginning: Beginning, unlike marks: FileMarks?) {
        var beginning = beginning
        let task = beginning.task
        let sink = makeSink(task)
        (beginning.sink, beginning.marks) = (sink, marks)
        var restart: String?
        do throws(TransferError) {
            let leftover = try (sink as? PartFile)?.leftover(
                configuration.resume, hasDigest: !task.request.digests.isEmpty, mirrors: task.mirrors.map(\.exchange))
            switch leftover {
            case .point(let point):
                beginning.point = point
                if point.mirror > 0, task.request.digests.isEmpty { beginning.mirror = begin(task, at: point.mirror) }
            case .useless(let reason, let line):
                if configuration.resume == .strict { throw Attempt.changed(reason) }
                if let line { warn(line) }
                if configuration.resume != .never { restart = reason }
            case .some(.none), nil: break
            }
        } catch {
            sink.close()
            return end(task, .failed(error))
        }
        begin(beginning, restart: restart)
    }

    private func begin(_ beginning: Beginning, restart reason: String?) {
        let task = beginning.task
        guard let source = task.source(beginning.mirror) else { return }
        if !beginning.isFollowed { for frontend in frontends { frontend.follow(task) } }
        task.core.resume()
        let lost = beginning.point == nil ? task.core.snapshot.progress.received : 0
        let needless = configuration.resume == .never ? "never" : "no_validator"
        if lost > 0, configuration.resume == .strict { return end(task, .failed(Attempt.changed(needless))) }
        beginAttempt(task, mirror: beginning.mirror, offset: beginning.point?.offset ?? 0)
        if let reason = reason ?? (lost > 0 ? needless : nil) { restart(task, reason: reason, lost: lost) }
        launch(
            task, source, mirror: beginning.mirror, point: beginning.point, redirects: 0, into: beginning.sink,
            unlike: beginning.marks)
    }

    /// Makes an exchange of a task that has a slot, unless it was suspended or cancelled meanwhile.
    func launch(
        _ task: SessionTask, _ target: SourceURL, mirror: Int, point: ResumePoint?, redirects: Int,
        into sink: (any ByteSink)?, unlike marks: FileMarks?
    ) {
        guard let own = task.source, let origin = task.source(mirror) else { return }
        let attempt = Attempt(
            task, target, mirror: mirror, continuing: point, unlike: mirror == 0 ? marks : nil, redirects: redirects,
            sink: sink, session: self)
        let isWanted = state.withLock { state in
            state.entries[task.id].map { state.begin(attempt, $0, into: sink, unlike: marks) }
        }
        guard let isWanted else {
            sink?.close()
            return pump()
        }
        guard isWanted else {
            settle(task)
            return pump()
        }
        let fields = RequestFields.of(
            task.request, own, from: origin, at: target, continuing: attempt.asked, unlike: attempt.marks,
            configuration, common: commonFields)
        let request = ExchangeRequest(
            url: target.exchange, fields: fields, connectTimeout: configuration.connectTimeout,
            rate: configuration.limitRatePerTask ?? bucket?.rate)
        attempt.begun(transport.start(request, attempt))
    }

    private func makeSink(_ task: SessionTask) -> any ByteSink {
        let destination = task.destination
        guard !destination.isInPlace, let source = task.source else { return InPlaceFile(destination) }
        return PartFile(
            destination.collected, from: source.exchange,
            onExists: configuration.refreshes ? .overwrite : configuration.onExists,
            isDurable: configuration.durability != .none, behind)
    }

    // MARK: names from the server

    /// Where a file goes once the server has spoken.
    enum Place: Equatable {
        /// Where the task was created for.
        case given
        case named(String)
        /// Something of the server's name is there, and stays.
        case taken(ExistingFile)
    }

    /// Finds the place for a file whose head has come.
    ///
    /// Throws `usage` when another task writes there.
    func place(_ task: SessionTask, _ head: ResponseHead) throws(TransferError) -> Place {
        guard task.destination.isServersToName else { return .given }
        let suggested = head["content-disposition"].flatMap(ContentDisposition.fileName)
        let path = suggested.map { task.destination.renamed(FileName.safe($0)) } ?? task.destination.path
        // An earlier attempt may have had the same answer.
        let isNew = state.withLock { state in
            let entry = state.entries[task.id]
            defer { entry?.place = path }
            return entry?.place != path
        }
        guard !isNew || claims.withLock({ $0.claim(Destination(regular: path)) }) else {
            throw TransferError(
                .usage,
                "the file would be written to \(path), as another URL's is; give one of them another name with out=")
        }
        let there = ExistingFile(path, task, configuration)
        switch there.fate {
        case .fetch, .fetchUnlike: return path == task.destination.path ? .given : .named(path)
        case .end, .check: return .taken(there)
        }
    }

    /// A task whose file is there ends, unless the file is to be refreshed and is not what it should be.
    func meet(_ there: ExistingFile, _ task: SessionTask, otherwise fetch: (@Sendable () -> Void)? = nil) {
        if case .end(let outcome) = there.fate { return end(task, outcome) }
        finishers.perform { [self] in
            let outcome = there.checked()
            if let fetch, configuration.refreshes, outcome.error?.code == .digestMismatch {
                fetch()
            } else {
                end(task, outcome)
            }
        }
    }
}

extension SessionState {
    /// So many tasks may be given their files at a time: each has a descriptor.
    static let mostFinishing = 64

    /// The next task that may have a slot now has one.
    fileprivate mutating func takeStart(at now: UInt64) -> Session.Start? {
        guard finishing < Self.mostFinishing else { return nil }
        if pacer.opens > now, queue.hasRoom, queue.waiting > 0 {
            guard !isPumpScheduled else { return nil }
            isPumpScheduled = true
            return .later(pacer.opens)
        }
        while let (id, host) = queue.next(at: now) {
            let entry = entries[id]
            entry?.isEnqueued = false
            if let entry, entry.wantsToRun, mayStart(entry) {
                switch entry.status {
                case .waiting:
                    let beginning = Session.Beginning(entry)
                    set(.starting, of: entry)
                    entry.isRetrying = false
                    entry.isFollowed = true
                    if entry.firstAttempt == nil { entry.firstAttempt = now }
                    _ = pacer.reserve(at: now)
                    return .fresh(beginning)
                case .held(let attempt, _):
                    set(.active(attempt), of: entry)
                    attempt.hold(false)
                    return .kept(entry.task)
                case .starting, .active, .stopping, .backingOff, .finishing: break
                }
            }
            queue.release(host: host)
        }
        return nil
    }

    /// The task's exchange begins, if it is still wanted.
    ///
    /// Suspended meanwhile, it has no slot any more, or gives it back; it may want to run again already.
    fileprivate mutating func begin(
        _ attempt: Attempt, _ entry: Entry, into sink: (any ByteSink)?, unlike marks: FileMarks?
    ) -> Bool {
        entry.sink = sink
        entry.marks = marks
        guard entry.wantsToRun, entry.hasSlot else {
            release(entry)
            set(.waiting, of: entry)
            if entry.wantsToRun { enqueue(entry, first: true) }
            return false
        }
        set(.active(attempt), of: entry)
        entry.hasBegun = true
        live += 1
        return true
    }

    /// With the new slot there may be more connections than jobs: lets one go that was kept in a pause.
    fileprivate mutating func dropOneHeld() -> Attempt? {
        guard held > 0, queue.active + held > queue.jobs else { return nil }
        var oldest: (id: TaskID, attempt: Attempt, since: UInt64)?
        for (id, entry) in entries {
            guard case .held(let attempt, let since) = entry.status, attempt.pausing.canContinue else { continue }
            if since < oldest?.since ?? .max { oldest = (id, attempt, since) }
        }
        guard let oldest else { return nil }
        set(.stopping(oldest.attempt), of: oldest.id)
        return oldest.attempt
    }
}
