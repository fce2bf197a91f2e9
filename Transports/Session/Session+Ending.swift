import Synchronization
import WhirlCore

extension Session {
    /// An exchange is over.
    ///
    /// On the transport's thread.
    func ended(_ attempt: Attempt, _ ending: Attempt.Ending) {
        let task = attempt.task
        let (entry, idle) = state.withLock { state in
            state.live -= 1
            state.summary.bytes += attempt.bytes
            state.entries[task.id]?.sink = attempt.sink
            return (state.entries[task.id], state.takeIdleWaiter())
        }
        defer { idle?.resume() }
        guard let entry else {  // cancelled
            attempt.sink?.close()
            return
        }
        attempt.report()
        switch ending {
        case .complete(let status, let timings): complete(attempt, status, timings)
        case .redirected(let status, let location): redirect(attempt, status, location)
        case .askAgain(let reason):
            restart(task, reason: reason, lost: attempt.point?.offset ?? 0)
            again(attempt, attempt.source, point: nil, redirects: attempt.redirects)
        case .failed(let error): failed(attempt, entry, error)
        case .halted: park(attempt)
        }
    }

    private func complete(_ attempt: Attempt, _ status: Int, _ timings: ExchangeTimings?) {
        do {
            try attempt.sink?.commit()
            end(attempt.task, .completed(TaskCompletion(status: status, timings: timings)))
        } catch {
            end(attempt.task, .failed(error))
        }
    }

    private func redirect(_ attempt: Attempt, _ status: Int, _ location: String) {
        do throws(TransferError) {
            let target = try attempt.source.resolve(location)
            let shown = Redaction.url(target.exchange)
            guard attempt.redirects < configuration.redirectLimit else {
                throw TransferError(.redirect, "more than \(configuration.redirectLimit) redirects", status: status)
            }
            guard target.isSecure || !attempt.source.isSecure else {
                throw TransferError(.redirect, "the server redirects from https to \(shown)", status: status)
            }
            attempt.task.core.redirect(status: status, url: shown)
            again(attempt, target, point: attempt.point, redirects: attempt.redirects + 1)
        } catch {
            end(attempt.task, .failed(error))
        }
    }

    /// The next exchange of the same attempt.
    private func again(
        _ attempt: Attempt, _ target: SourceURL, point: ResumePoint?, redirects: Int
    ) {
        let isStopped = state.withLock { state in
            state.entries[attempt.task.id]?.point = point
            return state.entries[attempt.task.id]?.hasSlot != true
        }
        guard !isStopped, let origin = try? SourceURL(attempt.task.request.url) else { return park(attempt, at: point) }
        launch(attempt.task, target, origin: origin, point: point, redirects: redirects)
    }

    private func failed(_ attempt: Attempt, _ entry: SessionState.Entry, _ error: TransferError) {
        // A peer that gave up during a pause has done no wrong: the transfer goes on where it was.
        if attempt.wasHeld, error.isRetryable, let point = attempt.resumePoint, flushes(attempt) {
            if entry.hasSlot { attempt.task.core.beginAttempt(offset: point.offset) }
            return again(attempt, attempt.source, point: point, redirects: attempt.redirects)
        }
        end(attempt.task, .failed(error))
    }

    private func flushes(_ attempt: Attempt) -> Bool { (try? attempt.sink?.flush()) != nil }

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
            state.release(id)
            state.set(.waiting, of: id)
            state.entries[id]?.point = point.flatMap { $0.offset > 0 ? $0 : nil }
            if state.entries[id]?.wantsToRun == true { state.enqueue(id, first: true) }
        }
        settle(attempt.task)
        pump()
    }

    /// The one way in which a task of this session ends but by being cancelled.
    func end(_ task: SessionTask, _ outcome: TaskOutcome) {
        let entry = state.withLock { $0.remove(task.id) }
        guard let entry else { return }
        entry.sink?.close()
        task.core.end(outcome)
        pump()
    }

    // MARK: restarts

    /// Bytes in hand are of no use: they count as wasted, and the task says why.
    func restart(_ task: SessionTask, reason: String, lost: Int64) {
        state.withLock { state in
            state.summary.wasted += lost
            state.entries[task.id]?.point = nil
        }
        task.core.restart(reason: reason)
    }
}
