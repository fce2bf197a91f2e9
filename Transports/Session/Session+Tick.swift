import Synchronization
import WhirlCore

extension Session {
    /// Ten times a second progress is told and silence is noticed: bytes themselves only bump counters.
    private static var period: UInt64 { 100_000_000 }
    /// How long a paused connection is kept, in nanoseconds.
    private var keeping: UInt64 { UInt64(max(0, min(configuration.pauseKeeping, 1e6)) * 1e9) }

    func scheduleTick() {
        clock.schedule(at: clock.now + Self.period) { [weak self] in self?.tick() }
    }

    private func tick() {
        let now = clock.now
        let (active, dropped, waking, ticks) = state.withLock { state in
            state.ticks += 1
            let dropped = state.dropHeld(before: now &- min(now, keeping))
            return (state.activeAttempts, dropped, state.wake(at: now), state.ticks)
        }
        for each in dropped { each.halt(.suspended) }
        for each in waking { each.core.enter(.queued) }
        if ticks % 10 == 0 { saveFolders() }
        if ticks % 300 == 0, configuration.durability != .none { checkpoint(active) }
        let phasesAreKnown = transport.capabilities.contains(.phases)
        for each in active {
            if !each.isOver { each.report() }
            if ticks % 10 == 0 { try? each.sink?.flush() }  // a failure comes again, with the next bytes
            if let error = each.overdue(at: now, configuration, phasesAreKnown: phasesAreKnown) {
                each.halt(.failed(error))
            }
        }
        pump()
        let goesOn = state.withLock { state in
            state.isTicking = state.needsTicks
            return state.isTicking
        }
        if goesOn { scheduleTick() }
    }
}

extension Session {
    private func saveFolders() {
        guard state.withLock({ !$0.unsynced.isEmpty }) else { return }
        finishers.perform { [self] in syncFolders() }
    }

    private func checkpoint(_ attempts: [Attempt]) {
        for sink in attempts.compactMap(\.sink) { finishers.perform { sink.checkpoint() } }
    }
}

extension SessionState {
    /// True once when ticks are needed and there are none.
    mutating func beginsTicking() -> Bool {
        guard !isTicking, needsTicks else { return false }
        isTicking = true
        return true
    }

    /// Something runs, is kept, or waits for a frontend to catch up.
    fileprivate var needsTicks: Bool { queue.active > 0 || queue.waiting > 0 || held > 0 || backingOff > 0 }

    /// Those that have waited long enough queue again, before those that never had a slot.
    fileprivate mutating func wake(at now: UInt64) -> [SessionTask] {
        guard backingOff > 0 else { return [] }
        var waking: [(instant: UInt64, entry: Entry)] = []
        for entry in entries.values {
            if case .backingOff(let instant) = entry.status, instant <= now { waking.append((instant, entry)) }
        }
        waking.sort { $0.instant > $1.instant }
        for (_, entry) in waking {
            set(.waiting, of: entry)
            entry.isRetrying = true
            enqueue(entry, first: true)
        }
        return waking.map(\.entry.task)
    }

    fileprivate var activeAttempts: [Attempt] {
        entries.values.compactMap { entry in
            if case .active(let attempt) = entry.status { attempt } else { nil }
        }
    }

    /// Lets connections go that were kept since before `limit` and can be done without.
    fileprivate mutating func dropHeld(before limit: UInt64) -> [Attempt] {
        guard held > 0 else { return [] }
        var dropped: [Attempt] = []
        for (id, entry) in entries {
            guard case .held(let attempt, let since) = entry.status, since <= limit, attempt.pausing.canContinue else {
                continue
            }
            set(.stopping(attempt), of: id)
            dropped.append(attempt)
        }
        return dropped
    }
}
