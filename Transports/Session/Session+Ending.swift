import Synchronization
import WhirlCore

extension Session {
    /// An exchange is over.
    ///
    /// On the transport's thread.
    func ended(_ attempt: Attempt, _ ending: Attempt.Ending) {
        let task = attempt.task
        let isThere = state.withLock { state in
            state.summary.bytes += attempt.bytes
            let entry = state.entries[task.id]
            entry?.moved += attempt.bytes
            return entry != nil
        }
        // The last thing: the run goes on until the bytes of what was cancelled are in the file.
        defer { fallenSilent() }
        guard isThere else {  // cancelled
            attempt.sink?.close()
            return
        }
        attempt.report()
        switch ending {
        case .complete(let status, let timings): complete(attempt, status, timings)
        case .redirected(let status, let location): redirect(attempt, status, location)
        case .skipped(let reason): end(task, .skipped(reason: reason))
        case .existing(let there): meet(there, task)
        case .askAgain(let reason):
            if configuration.resume == .strict { return end(task, .failed(Attempt.changed(reason))) }
            restart(task, reason: reason, lost: attempt.point?.offset ?? 0)
            again(attempt, attempt.source, point: nil, redirects: attempt.redirects)
        case .failed(let error): failed(attempt, error)
        case .halted: park(attempt)
        }
    }

    /// One exchange less is under way.
    private func fallenSilent() {
        let idle = state.withLock { state in
            state.live -= 1
            return state.takeIdleWaiter()
        }
        idle?.resume()
    }

    private func redirect(_ attempt: Attempt, _ status: Int, _ location: String) {
        do throws(TransferError) {
            let target = try attempt.source.resolve(location)
            let shown = Redaction.url(target.exchange)
            guard attempt.redirects < configuration.redirectLimit else {
                throw TransferError(
                    .redirect, "the server redirects more than \(configuration.redirectLimit) times", status: status)
            }
            guard target.isSecure || !attempt.source.isSecure else {
                throw TransferError(
                    .redirect, "the server redirects from https to \(shown); fetch that if it need not be secret",
                    status: status)
            }
            attempt.task.core.redirect(status: status, url: shown)
            again(attempt, target, point: attempt.point, redirects: attempt.redirects + 1)
        } catch {
            failed(attempt, error)
        }
    }

    /// The next exchange of the same attempt.
    private func again(
        _ attempt: Attempt, _ target: SourceURL, point: ResumePoint?, redirects: Int
    ) {
        let task = attempt.task
        let now = clock.now
        let (instant, marks) = state.withLock { state -> (UInt64?, FileMarks?) in
            let entry = state.entries[task.id]
            entry?.point = point
            guard let entry, entry.hasSlot else { return (nil, nil) }
            return (state.pacer.reserve(at: now), entry.marks)
        }
        guard let instant else { return park(attempt, at: point) }
        let sink = attempt.sink
        guard instant > now else {
            return launch(
                task, target, mirror: attempt.mirror, point: point, redirects: redirects, into: sink, unlike: marks)
        }
        clock.schedule(at: instant) { [weak self] in
            self?.launch(
                task, target, mirror: attempt.mirror, point: point, redirects: redirects, into: sink, unlike: marks)
        }
    }

    // MARK: failures

    private func failed(_ attempt: Attempt, _ error: TransferError) {
        let task = attempt.task
        // Who reads the standard output has had enough: nothing went wrong.
        if error.code == .cancelled { return cancel(task.id, reason: "broken_pipe") }
        let movesOn = !task.mirrors.isEmpty && error.code.isOfOneServer
        guard error.isRetryable || movesOn else { return end(task, .failed(error)) }
        do throws(TransferError) { try attempt.sink?.flush() } catch { return end(task, .failed(error)) }
        let (wantsToRun, hasSlot) = state.withLock { state in
            let entry = state.entries[task.id]
            return (entry?.wantsToRun == true, entry?.hasSlot == true)
        }
        if !wantsToRun, error.isRetryable { return park(attempt, at: attempt.resumePoint) }
        // A peer that gave up during a pause has done no wrong: the transfer goes on where it was.
        if error.isRetryable, attempt.wasHeld, let point = attempt.resumePoint, hasSlot {
            beginAttempt(task, mirror: attempt.mirror, offset: point.offset)
            return again(attempt, attempt.source, point: point, redirects: attempt.redirects)
        }
        if movesOn { moveOn(attempt, after: error) } else { retry(attempt, after: error) }
    }

    private func retry(_ attempt: Attempt, after error: TransferError) {
        let task = attempt.task
        let now = clock.now
        let retryAfter = attempt.retryAfter(wall: clock.wall)
        let decision = state.withLock { state -> RetryPolicy.Decision in
            guard let entry = state.entries[task.id] else { return .fail(error) }
            let spent = Double(now - min(now, entry.firstAttempt ?? now)) / 1e9
            // What is fetched once more is no gain: a server that always breaks off at the same place has had its tries.
            let gained = max(0, attempt.inHand - max(entry.best, attempt.point?.offset ?? 0))
            entry.best = max(entry.best, attempt.inHand)
            return entry.retries.judge(
                error, gained: gained, retryAfter: retryAfter, spent: spent, random: random(), configuration)
        }
        guard case .retry(let delay) = decision else {
            if case .fail(let error) = decision { end(task, .failed(error)) }
            return
        }
        task.core.retry(after: delay, error: error)
        let instant = now + UInt64(delay * 1e9)
        state.withLock { state in
            if retryAfter != nil {
                for host in [task.host, attempt.source.host] { state.queue.rest(host: host, until: instant) }
            }
            guard let entry = state.entries[task.id] else { return }
            state.release(entry)
            state.set(entry.wantsToRun ? .backingOff(until: instant) : .waiting, of: entry)
            entry.point = attempt.resumePoint.flatMap { $0.offset > 0 ? $0 : nil }
            entry.lastError = error
        }
        settle(task)
        pump()
    }

    /// The exchange of a suspended task is over; it may want to run again already.
    private func park(_ attempt: Attempt) {
        do {
            try attempt.sink?.flush()
            park(attempt, at: attempt.resumePoint)
        } catch {
            end(attempt.task, .failed(error))
        }
    }

    private func park(_ attempt: Attempt, at point: ResumePoint?) {
        let id = attempt.task.id
        state.withLock { state in
            guard let entry = state.entries[id] else { return }
            state.release(entry)
            state.set(.waiting, of: entry)
            entry.point = point.flatMap { $0.offset > 0 ? $0 : nil }
            if entry.wantsToRun { state.enqueue(entry, first: true) }
        }
        settle(attempt.task)
        pump()
    }

    /// The one way in which a task of this session ends but by being broken off.
    func end(_ task: SessionTask, _ outcome: TaskOutcome) {
        let remains = state.withLock { $0.remove(task.id) }
        guard let remains else { return }
        remains.sink?.close()
        task.core.end(outcome.advised)
        if configuration.failsFast, outcome.error != nil { quit(.cancelled(reason: "fail_fast")) }
        pump()
    }

    // MARK: restarts

    /// Bytes in hand are of no use: those that came in this run count as wasted, and the task says why.
    func restart(_ task: SessionTask, reason: String, lost: Int64) {
        state.withLock { state in
            guard let entry = state.entries[task.id] else { return }
            state.summary.wasted += min(lost, entry.moved)
            entry.moved = 0
            entry.point = nil
        }
        task.core.restart(reason: reason)
    }
}
