import Glibc
import Synchronization
import WhirlCore

extension Session {
    /// Gives free slots to those who wait.
    ///
    /// One thread at a time does so, and goes round again for the others: a transport that ends exchanges while they
    /// are being started makes no recursion.
    func pump() {
        let begins = state.withLock { state in
            if state.isPumping { state.mustPumpAgain = true }
            defer { state.isPumping = true }
            return !state.isPumping
        }
        guard begins else { return }
        repeat {
            while nextToStart() {}
        } while state.withLock { state in
            state.isPumping = state.mustPumpAgain
            state.mustPumpAgain = false
            return state.isPumping
        }
        beginTicking()
    }

    /// More than this waits to be shown: no new task starts.
    private static var backlogLimit: Int { 64 << 20 }

    /// What a free slot is used for.
    fileprivate enum Start {
        case fresh(SessionState.Entry)
        case kept(SessionTask)
    }

    private func nextToStart() -> Bool {
        guard !frontends.contains(where: { $0.backlog > Self.backlogLimit }) else { return false }
        let (start, dropped) = state.withLock { state -> (Start?, Attempt?) in
            guard let start = state.takeStart() else { return (nil, nil) }
            return (start, state.dropOneHeld(jobs: configuration.jobs))
        }
        dropped?.halt(.suspended)
        switch start {
        case .fresh(let entry): self.start(entry)
        case .kept(let task): settle(task)
        case nil: return false
        }
        return true
    }

    // MARK: one task

    private func start(_ entry: SessionState.Entry) {
        let task = entry.task
        if !entry.hasBegun, let outcome = Self.existing(task.destination, configuration.onExists) {
            return end(task, outcome)
        }
        guard let source = try? SourceURL(task.request.url) else {
            return end(task, .failed(TransferError(.internal, "an accepted URL is not one any more")))
        }
        if !entry.isFollowed {
            state.withLock { $0.entries[task.id]?.isFollowed = true }
            for frontend in frontends { frontend.follow(task) }
        }
        task.core.resume()
        let lost = entry.point == nil && entry.hasBegun ? task.core.snapshot.progress.received : 0
        task.core.beginAttempt(offset: entry.point?.offset ?? 0)
        if lost > 0 { restart(task, reason: "no_validator", lost: lost) }
        launch(task, source, origin: source, point: entry.point, redirects: 0)
    }

    /// Makes an exchange of a task that has a slot, unless it was suspended or cancelled meanwhile.
    func launch(_ task: SessionTask, _ target: SourceURL, origin: SourceURL, point: ResumePoint?, redirects: Int) {
        let sink = state.withLock { $0.entries[task.id]?.sink }
        let attempt = Attempt(task, target, continuing: point, redirects: redirects, sink: sink, session: self)
        let isWanted = state.withLock { state in
            guard let entry = state.entries[task.id] else { return false }
            // Suspended meanwhile, it has no slot any more, or gives it back; it may want to run again already.
            guard entry.wantsToRun, entry.hasSlot else {
                state.release(task.id)
                state.set(.waiting, of: task.id)
                if entry.wantsToRun { state.enqueue(task.id, first: true) }
                return false
            }
            state.set(.active(attempt), of: task.id)
            state.entries[task.id]?.hasBegun = true
            state.live += 1
            return true
        }
        settle(task)
        guard isWanted else { return pump() }
        let fields = RequestFields.of(task.request, origin, at: target, continuing: point, configuration)
        let request = ExchangeRequest(
            url: target.exchange, fields: fields, connectTimeout: configuration.connectTimeout)
        attempt.begun(transport.start(request, attempt))
    }

    func makeSink(_ task: SessionTask) -> any ByteSink {
        let destination = task.destination
        return destination.isInPlace
            ? InPlaceFile(destination) : PartFile(destination.path, onExists: configuration.onExists)
    }

    /// What becomes of a task whose destination is there already; nil: it is fetched.
    private static func existing(
        _ destination: Destination, _ onExists: SessionConfiguration.OnExists
    ) -> TaskOutcome? {
        var status = Glibc.stat()
        guard !destination.isInPlace, unsafe lstat(destination.path, &status) == 0 else { return nil }
        if status.st_mode & S_IFMT == S_IFLNK { unsafe stat(destination.path, &status) }
        guard status.st_mode & S_IFMT != S_IFDIR else {
            return .failed(TransferError(.io, "\(destination.path) is a folder"))
        }
        switch onExists {
        case .skip: return .skipped(reason: "exists")
        case .fail: return .failed(TransferError(.io, "\(destination.path) exists"))
        case .overwrite, .rename: return nil
        }
    }
}

extension SessionState {
    /// The next task that may have a slot now has one.
    fileprivate mutating func takeStart() -> Session.Start? {
        while let (id, host) = queue.next() {
            entries[id]?.isEnqueued = false
            if let entry = entries[id], entry.wantsToRun {
                switch entry.status {
                case .waiting:
                    set(.starting, of: id)
                    return .fresh(entry)
                case .held(let attempt, _):
                    set(.active(attempt), of: id)
                    attempt.hold(false)
                    return .kept(entry.task)
                case .starting, .active, .stopping: break
                }
            }
            queue.release(host: host)
        }
        return nil
    }

    /// With the new slot there may be more connections than jobs: lets one go that was kept in a pause.
    fileprivate mutating func dropOneHeld(jobs: Int) -> Attempt? {
        guard held > 0, queue.active + held > jobs else { return nil }
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
