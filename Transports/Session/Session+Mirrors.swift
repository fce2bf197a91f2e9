import Synchronization
import WhirlCore

/// Requests with several URLs of the same bytes.
extension Session {
    /// What comes after a failure at one of them.
    private enum Step {
        /// Another one at once, or after so many seconds where all have failed.
        case wait(Double)
        case fail(TransferError)
    }

    func beginAttempt(_ task: SessionTask, mirror: Int, offset: Int64) {
        let url = mirror > 0 ? task.source(mirror).map { Redaction.url($0.exchange) } : nil
        task.core.beginAttempt(offset: offset, url: url)
    }

    /// The first attempt goes where an earlier run had its bytes from; its slot stays the one it has.
    func begin(_ task: SessionTask, at mirror: Int) -> Int {
        state.withLock { $0.entries[task.id]?.mirrors?.begin(at: mirror) }
        return mirror
    }

    /// One of the URLs has failed: the next is tried at once, and when all have failed the first of those that may do
    /// better another time, after a wait.
    func moveOn(_ attempt: Attempt, after error: TransferError) {
        let task = attempt.task
        let now = clock.now
        let isSpoilt = attempt.isSpoilt || error.code == .digestMismatch
        let point = isSpoilt ? nil : attempt.resumePoint.flatMap { $0.offset > 0 ? $0 : nil }
        let rest = attempt.retryAfter(wall: clock.wall)
        let step = state.withLock { state in
            state.entries[task.id].map { entry in
                entry.point = point
                return nextStep(entry, attempt, error, rest: rest, at: now)
            }
        }
        guard let step else { return }
        guard case .wait(let delay) = step else {
            if case .fail(let error) = step { end(task, .failed(error)) }
            return
        }
        task.core.retry(after: delay, error: error)
        if isSpoilt, attempt.inHand > 0 { restart(task, reason: error.code.rawValue, lost: attempt.inHand) }
        let instant = now + UInt64(delay * 1e9)
        state.withLock { state in
            if let rest, rest <= configuration.retryAfterMax {
                state.queue.rest(host: attempt.source.host, until: now + UInt64(rest * 1e9))
            }
            guard let entry = state.entries[task.id] else { return }
            state.release(entry)
            entry.lastError = error
            entry.host = task.source(entry.mirrors?.current ?? 0)?.host ?? entry.host
            let isAtOnce = delay == 0
            state.set(entry.wantsToRun && !isAtOnce ? .backingOff(until: instant) : .waiting, of: entry)
            guard entry.wantsToRun, isAtOnce else { return }
            entry.isRetrying = true
            state.enqueue(entry, first: true)
        }
        settle(task)
        pump()
    }

    /// Under the lock.
    private func nextStep(
        _ entry: SessionState.Entry, _ attempt: Attempt, _ error: TransferError, rest: Double?, at now: UInt64
    ) -> Step {
        guard var mirrors = entry.mirrors else { return .fail(error) }
        let gained = max(0, attempt.inHand - max(entry.best, attempt.point?.offset ?? 0))
        entry.best = max(entry.best, attempt.inHand)
        mirrors.fail(error, gained: gained, until: rest.map { now &+ UInt64(min($0, 1e9) * 1e9) })
        defer { entry.mirrors = mirrors }
        let point = entry.point
        let isStrict = configuration.resume == .strict
        let hasDigest = !attempt.task.request.digests.isEmpty
        let isOfUse = { (index: Int) in !isStrict || point?.at(index, hasDigest: hasDigest) != nil || point == nil }
        if mirrors.goOn(at: now, where: isOfUse) { return .wait(0) }
        let gains = mirrors.gained
        guard let opens = mirrors.startOver(where: isOfUse), let passing = mirrors.passing else {
            return .fail(mirrors.verdict(error))
        }
        let spent = Double(now - min(now, entry.firstAttempt ?? now)) / 1e9
        let decision = entry.retries.judge(
            passing, gained: gains, retryAfter: opens > now ? Double(opens - now) / 1e9 : nil, spent: spent,
            random: random(), configuration)
        switch decision {
        case .retry(let delay): return .wait(delay)
        case .fail(let error): return .fail(mirrors.verdict(error))
        }
    }
}
