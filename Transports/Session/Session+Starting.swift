import Glibc
import Synchronization
import WhirlCore

extension Session {
    /// Gives free slots to those who wait.
    ///
    /// One thread at a time does so, and goes round again for the others: a transport that ends exchanges while they
    /// are being started makes no recursion.
    func pump() {
        let (begins, ticks) = state.withLock { state -> (Bool, Bool) in
            if state.isPumping {
                state.mustPumpAgain = true
                return (false, false)
            }
            state.isPumping = state.queue.hasRoom && state.queue.waiting > 0
            return (state.isPumping, state.beginsTicking())
        }
        if begins {
            repeat {
                while nextToStart() {}
            } while state.withLock { state in
                state.isPumping = state.mustPumpAgain
                state.mustPumpAgain = false
                return state.isPumping
            }
        }
        if ticks { scheduleTick() }
    }

    /// More than this waits to be shown: no new task starts.
    private static var backlogLimit: Int { 64 << 20 }

    /// What a free slot is used for.
    fileprivate enum Start {
        case fresh(SessionState.Entry)
        case kept(SessionTask)
        /// There is someone, but not before that instant.
        case later(UInt64)
    }

    private func nextToStart() -> Bool {
        guard !frontends.contains(where: { $0.backlog > Self.backlogLimit }) else { return false }
        let now = clock.now
        let (start, dropped) = state.withLock { state -> (Start?, Attempt?) in
            guard let start = state.takeStart(at: now) else { return (nil, nil) }
            return (start, state.dropOneHeld())
        }
        dropped?.halt(.suspended)
        switch start {
        case .fresh(let entry): self.start(entry)
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

    private func start(_ entry: SessionState.Entry) {
        let task = entry.task
        if entry.isRetrying, let limit = configuration.retryMaxTime, let error = entry.lastError,
            Double(clock.now - min(clock.now, entry.firstAttempt ?? .max)) / 1e9 > limit
        {
            return end(task, .failed(error.notTriedAgain("no new attempt after \(Seconds.text(limit))")))
        }
        guard !entry.hasBegun else { return begin(entry, restart: nil) }
        let there = ExistingFile(task, configuration)
        switch there.fate {
        case .fetch: prepare(entry, unlike: nil)
        case .fetchUnlike(let marks): prepare(entry, unlike: marks)
        case .end, .check: meet(there, task) { [self] in prepare(entry, unlike: nil) }
        }
    }

    /// Looks at what an earlier run left, and begins.
    private func prepare(_ entry: SessionState.Entry, unlike marks: FileMarks?) {
        var entry = entry
        let task = entry.task
        let sink = makeSink(task)
        (entry.sink, entry.marks) = (sink, marks)
        var restart: String?
        do throws(TransferError) {
            let leftover = try (sink as? PartFile)?.leftover(
                configuration.resume, hasDigest: !task.request.digests.isEmpty, mirrors: task.mirrors.map(\.exchange))
            switch leftover {
            case .point(let point):
                entry.point = point
                if point.mirror > 0, task.request.digests.isEmpty {
                    begin(task, at: point.mirror)
                    entry.mirrors?.begin(at: point.mirror)
                }
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
        begin(entry, restart: restart)
    }

    private func begin(_ entry: SessionState.Entry, restart reason: String?) {
        let task = entry.task
        let mirror = entry.mirrors?.current ?? 0
        guard let source = task.source(mirror) else { return }
        if !entry.isFollowed { for frontend in frontends { frontend.follow(task) } }
        task.core.resume()
        let lost = entry.point == nil ? task.core.snapshot.progress.received : 0
        let needless = configuration.resume == .never ? "never" : "no_validator"
        if lost > 0, configuration.resume == .strict { return end(task, .failed(Attempt.changed(needless))) }
        beginAttempt(task, mirror: mirror, offset: entry.point?.offset ?? 0)
        if let reason = reason ?? (lost > 0 ? needless : nil) { restart(task, reason: reason, lost: lost) }
        launch(
            task, source, mirror: mirror, point: entry.point, redirects: 0, into: entry.sink, unlike: entry.marks)
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
        let isWanted = state.withLock { state -> Bool? in
            guard state.entries[task.id] != nil else { return nil }
            return state.begin(attempt, into: sink, unlike: marks)
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
            configuration)
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
            isDurable: configuration.durability != .none)
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
            defer { state.entries[task.id]?.place = path }
            return state.entries[task.id]?.place != path
        }
        guard !isNew || claims.withLock({ $0.claim(Destination(regular: path)) }) else {
            throw TransferError(.usage, "the file would be written to \(path), as another URL's is")
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
    private static let mostFinishing = 64

    /// The next task that may have a slot now has one.
    fileprivate mutating func takeStart(at now: UInt64) -> Session.Start? {
        guard finishing < Self.mostFinishing else { return nil }
        if pacer.opens > now, queue.hasRoom, queue.waiting > 0 {
            guard !isPumpScheduled else { return nil }
            isPumpScheduled = true
            return .later(pacer.opens)
        }
        while let (id, host) = queue.next(at: now) {
            entries[id]?.isEnqueued = false
            if let entry = entries[id], entry.wantsToRun, mayStart(entry) {
                switch entry.status {
                case .waiting:
                    set(.starting, of: id)
                    entries[id]?.isRetrying = false
                    entries[id]?.isFollowed = true
                    if entry.firstAttempt == nil { entries[id]?.firstAttempt = now }
                    _ = pacer.reserve(at: now)
                    return .fresh(entry)
                case .held(let attempt, _):
                    set(.active(attempt), of: id)
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
    fileprivate mutating func begin(_ attempt: Attempt, into sink: (any ByteSink)?, unlike marks: FileMarks?) -> Bool {
        let id = attempt.task.id
        entries[id]?.sink = sink
        entries[id]?.marks = marks
        guard let entry = entries[id], entry.wantsToRun, entry.hasSlot else {
            release(id)
            set(.waiting, of: id)
            if entries[id]?.wantsToRun == true { enqueue(id, first: true) }
            return false
        }
        set(.active(attempt), of: id)
        entries[id]?.hasBegun = true
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
