import Synchronization
public import WhirlCore

extension Session {
    /// Does what a person or a program asks; what does not apply is ignored.
    public func perform(_ command: RunCommand) {
        switch command {
        case .suspend(let id): if !isEarly(command, for: id) { suspend(id) }
        case .resume(let id): if !isEarly(command, for: id) { resume(id) }
        case .resumeAll: resumeAll()
        case .cancel(let id): if !isEarly(command, for: id) { cancel(id, reason: "user") }
        case .retry(let id): retry(id)
        case .setJobs(let jobs): setJobs(jobs)
        case .setRate(let rate): setRate(rate)
        case .drain: drain()
        case .quit(let reason): quit(.cancelled(reason: reason))
        }
    }

    /// The task wants to run: at once if there is a slot, else before those that never had one.
    func resume(_ id: TaskID) {
        let task = state.withLock { state -> SessionTask? in
            guard let entry = state.entries[id], !entry.wantsToRun else { return nil }
            entry.wantsToRun = true
            // One that is stopping queues when its exchange is over; one that is starting has a slot.
            switch entry.status {
            case .waiting, .held: state.enqueue(entry, first: entry.hasBegun)
            case .starting, .active, .stopping, .backingOff, .finishing: break
            }
            return entry.task
        }
        guard let task else { return }
        settle(task)
        pump()
    }

    /// Of a long list most tasks are still to come: they start by themselves, also when the run was started paused.
    private func resumeAll() {
        state.withLock { $0.startsPaused = false }
        for id in unfinished { perform(.resume(id)) }
    }

    /// The task stops and gives its slot up at once.
    ///
    /// Its connection is kept for a while where that can be and nobody waits for the slot. One whose bytes are all in
    /// hand does not stop any more.
    func suspend(_ id: TaskID) {
        let canPause = transport.capabilities.contains(.pause)
        let now = clock.now
        let (task, stopped) = state.withLock { state -> (SessionTask?, Attempt?) in
            guard let entry = state.entries[id], entry.wantsToRun else { return (nil, nil) }
            entry.wantsToRun = false
            entry.isRetrying = false
            if case .backingOff = entry.status { state.set(.waiting, of: entry) }
            guard case .active(let attempt) = entry.status else { return (entry.task, nil) }
            state.release(entry)
            let pausing = attempt.pausing
            let isSpared = configuration.pauseKeeping > 0 && state.queue.waiting == 0
            let isKept = canPause && pausing.canKeep && (isSpared || !pausing.canContinue)
            state.set(isKept ? .held(attempt, since: now) : .stopping(attempt), of: entry)
            if isKept { attempt.hold(true) }
            return (entry.task, isKept ? nil : attempt)
        }
        guard let task else { return }
        stopped?.halt(.suspended)
        settle(task)
        pump()
    }

    /// Makes a task's state, and its connection, what its standing says: called by whoever changed it, with no lock held.
    ///
    /// It looks again when it is done, so of several callers at a time the last to be heard says what is so.
    func settle(_ task: SessionTask) {
        var told: SessionState.Entry.Standing?
        while let (standing, attempt) = standing(of: task), standing != told {
            if standing == .running {
                task.core.resume()
                attempt?.settle()
            } else {
                // Silence first, so that the bytes told of are all there are.
                attempt?.settle()
                if let attempt, !attempt.isOver {
                    if attempt.takesLastBytes { return }
                    attempt.report()
                }
                task.core.suspend()
                task.core.enter(standing == .queued ? .queued : .paused)
            }
            told = standing
        }
    }

    private func standing(of task: SessionTask) -> (SessionState.Entry.Standing, Attempt?)? {
        state.withLock { state in
            guard let entry = state.entries[task.id], let standing = entry.standing else { return nil }
            return (standing, entry.attempt)
        }
    }

    /// The task ends at once, whatever the transport does; bytes in hand stay in `.part`.
    ///
    /// One that is being given its name ends by itself.
    func cancel(_ id: TaskID, reason: String) { breakOff(id, .cancelled(reason: reason)) }

    func breakOff(_ id: TaskID, _ outcome: TaskOutcome) {
        let remains = state.withLock { state -> SessionState.Remains? in
            if case .finishing(isDecided: true) = state.entries[id]?.status { return nil }
            return state.remove(id)
        }
        guard let remains else { return }
        remains.attempt?.report()
        // Before the run may end; an exchange that is under way closes it when it has fallen silent.
        if remains.attempt == nil, !remains.isFinishing { remains.sink?.close() }
        remains.task.core.cancel()
        remains.task.core.end(outcome)
        remains.attempt?.halt(.cancelled)
        pump()
    }

    private func setJobs(_ jobs: Int) {
        state.withLock { $0.queue.jobs = max(1, jobs) }
        pump()
    }

    private func retry(_ id: TaskID) {
        guard let failed = state.withLock({ $0.failed[id] }), let source = failed.source else { return }
        let task = SessionTask(failed.request, failed.destination, source, failed.mirrors, session: self)
        let isWanted = state.withLock { state in
            guard state.stop == nil, !state.isOver, state.takeFailure(id) != nil else { return false }
            return state.announce(task.id)
        }
        if isWanted { begin(task) }
    }

    // MARK: the end of all

    private func drain() {
        stop(.drain) { !$0.isUnderWay }
    }

    /// Ends all that is unfinished.
    func quit(_ stop: SessionState.Stop) {
        self.stop(stop) { _ in true }
        clock.schedule(at: clock.now + Self.grace) { [weak self] in self?.giveUpWaiting() }
    }

    /// Nothing more starts, and of what is there ends what is `ending`.
    private func stop(_ stop: SessionState.Stop, ending: @Sendable (SessionState.Entry) -> Bool) {
        let (ids, waiters) = state.withLock { state in
            switch state.stop {
            case nil, .drain: state.stop = stop
            case .cancelled, .failed: break
            }
            let waiters = state.roomWaiters + state.closingWaiters
            state.roomWaiters = []
            state.closingWaiters = []
            return (state.entries.values.filter(ending).map(\.task.id).sorted(), waiters)
        }
        for each in waiters { each.resume() }
        for id in ids { breakOff(id, stop.outcome) }
    }

    /// Returns when no more requests are accepted: after `quit`, `drain`, a deadline, or a failure with `failsFast`,
    /// and at the end.
    public func closing() async {
        await withCheckedContinuation { continuation in
            let isClosing = state.withLock { state in
                if state.stop == nil { state.closingWaiters.append(continuation) }
                return state.stop != nil
            }
            if isClosing { continuation.resume() }
        }
    }

    /// How long cancelled exchanges may take to fall silent, in nanoseconds.
    private static var grace: UInt64 { 2_000_000_000 }

    private func giveUpWaiting() {
        let idle = state.withLock { state in
            state.isPastGrace = true
            return state.takeIdleWaiter()
        }
        idle?.resume()
    }
}
