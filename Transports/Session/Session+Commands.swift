import Synchronization
public import WhirlCore

extension Session {
    /// Does what a person or a program asks; what does not apply is ignored.
    public func perform(_ command: RunCommand) {
        switch command {
        case .suspend(let id): suspend(id)
        case .resume(let id): resume(id)
        case .cancel(let id): cancel(id, reason: "user")
        case .quit(let reason): quit(reason)
        case .retry, .setJobs, .drain: break  // follows
        }
    }

    /// The task wants to run: at once if there is a slot, else before those that never had one.
    func resume(_ id: TaskID) {
        let task = state.withLock { state -> SessionTask? in
            guard let entry = state.entries[id], !entry.wantsToRun else { return nil }
            state.entries[id]?.wantsToRun = true
            // One that is stopping queues when its exchange is over; one that is starting has a slot.
            switch entry.status {
            case .waiting, .held: state.enqueue(id, first: entry.hasBegun)
            case .starting, .active, .stopping: break
            }
            return entry.task
        }
        guard let task else { return }
        settle(task)
        pump()
    }

    /// The task stops and gives its slot up at once.
    ///
    /// Its connection is kept for a while where that can be and nobody waits for the slot.
    func suspend(_ id: TaskID) {
        let canPause = transport.capabilities.contains(.pause)
        let now = clock.now
        let (task, stopped) = state.withLock { state -> (SessionTask?, Attempt?) in
            guard let entry = state.entries[id], entry.wantsToRun else { return (nil, nil) }
            state.entries[id]?.wantsToRun = false
            guard case .active(let attempt) = entry.status else { return (entry.task, nil) }
            state.release(id)
            let pausing = attempt.pausing
            let isSpared = configuration.pauseKeeping > 0 && state.queue.waiting == 0
            let isKept = canPause && pausing.canKeep && (isSpared || !pausing.canContinue)
            state.set(isKept ? .held(attempt, since: now) : .stopping(attempt), of: id)
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
        while let entry = state.withLock({ $0.entries[task.id] }), let standing = entry.standing, standing != told {
            if standing == .running {
                task.core.resume()
                entry.attempt?.settle()
            } else {
                // Silence first, so that the bytes told of are all there are.
                entry.attempt?.settle()
                if let attempt = entry.attempt, !attempt.isOver { attempt.report() }
                task.core.suspend()
                task.core.enter(standing == .queued ? .queued : .paused)
            }
            told = standing
        }
    }

    /// The task ends at once, whatever the transport does; bytes in hand stay in `.part`.
    func cancel(_ id: TaskID, reason: String) {
        let entry = state.withLock { $0.remove(id) }
        guard let entry else { return }
        entry.attempt?.report()
        entry.task.core.cancel()
        entry.task.core.end(.cancelled(reason: reason))
        if let attempt = entry.attempt { attempt.halt(.cancelled) } else { entry.sink?.close() }
        pump()
    }

    private func quit(_ reason: String) {
        let (ids, rooms) = state.withLock { state -> ([TaskID], [CheckedContinuation<Void, Never>]) in
            if state.quitReason == nil { state.quitReason = reason }
            defer { state.roomWaiters = [] }
            return (state.entries.keys.sorted(), state.roomWaiters)
        }
        for each in rooms { each.resume() }
        for id in ids { cancel(id, reason: reason) }
        clock.schedule(at: clock.now + Self.grace) { [weak self] in self?.giveUpWaiting() }
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
