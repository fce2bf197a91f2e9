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
        }
    }

    /// The task wants to run: at once if there is a slot, else before those that never had one.
    func resume(_ id: TaskID) {
        let task = state.withLock { state -> SessionTask? in
            guard let entry = state.entries[id], !entry.wantsToRun else { return nil }
            state.entries[id]?.wantsToRun = true
            if case .stopping = entry.status { return nil }  // it queues when its exchange is over
            state.enqueue(id, first: entry.hasBegun)
            return entry.task
        }
        guard let task else { return }
        task.core.enter(.queued)
        pump()
    }

    /// The task stops and gives its slot up at once. Its connection is kept for a while where that can be and nobody
    /// waits for the slot.
    func suspend(_ id: TaskID) {
        enum Way { case keep, stop, nothing }
        let canPause = transport.capabilities.contains(.pause)
        let now = clock.now
        let (entry, way) = state.withLock { state -> (SessionState.Entry?, Way) in
            guard let entry = state.entries[id], entry.wantsToRun else { return (nil, .nothing) }
            state.entries[id]?.wantsToRun = false
            guard case .active(let attempt) = entry.status else { return (entry, .nothing) }
            state.release(id)
            let pausing = attempt.pausing
            let isKept = canPause && pausing.canKeep && (state.queue.waiting == 0 || !pausing.canContinue)
            state.set(isKept ? .held(attempt, since: now) : .stopping(attempt), of: id)
            return (entry, isKept ? .keep : .stop)
        }
        guard let entry else { return }
        // Silence first, so that the bytes told of are all there are.
        switch way {
        case .keep: entry.attempt?.pause()
        case .stop: entry.attempt?.halt(.suspended)
        case .nothing: break
        }
        entry.attempt?.report()
        if !entry.task.core.suspend() { entry.task.core.enter(.paused) }
        pump()
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
