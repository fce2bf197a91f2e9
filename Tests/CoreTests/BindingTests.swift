import Testing
import WhirlCore

@Suite("The binding, called inline") struct BindingTests {
    @Test("B01: task running at bind: animating once the call's delivery has run")
    func runningAtBind() {
        let task = PlainTask(), row = Row()
        task.resume()
        row.setAnimating(withStateOf: task)
        #expect(row.calls.all == [.start])
    }

    @Test("B02: suspended or never resumed: not animating; then resume starts, suspend stops, completion stops")
    func followsTheState() {
        let task = PlainTask(), early = Row(), late = Row()
        early.setAnimating(withStateOf: task)
        #expect(early.calls.all == [.stop])
        task.resume()
        #expect(early.isAnimating)
        task.suspend()
        #expect(!early.isAnimating)
        late.setAnimating(withStateOf: task)
        #expect(late.calls.all == [.stop])
        task.resume()
        task.core.end(.done)
        #expect(early.calls.all == [.stop, .start, .stop, .start, .stop])
        #expect(late.calls.all == [.stop, .start, .stop])
    }

    @Test("B03: canceling at bind: not animating; still not after completion")
    func cancelingAtBind() {
        let task = PlainTask(), row = Row()
        task.resume()
        task.cancel()
        row.setAnimating(withStateOf: task)
        #expect(row.calls.all == [.stop])
        task.core.end(.ended)
        #expect(row.calls.all == [.stop])
        #expect(task.core.observationCount == 0)
    }

    @Test("B04: task already completed at bind: stopped, nothing observed", arguments: [false, true])
    func completedAtBind(animatedBefore: Bool) {
        let running = PlainTask(), completed = PlainTask(), row = Row()
        running.resume()
        completed.core.end(.done)
        if animatedBefore { row.setAnimating(withStateOf: running) }
        row.setAnimating(withStateOf: completed)
        #expect(row.calls.all == (animatedBefore ? [.start, .stop] : [.stop]))
        #expect(completed.core.observationCount == 0)
        #expect(running.core.observationCount == 0)
    }

    @Test("B05: nil: unbound and stopped")
    func boundToNil() {
        let task = PlainTask(), row = Row(), fresh = Row()
        task.resume()
        row.setAnimating(withStateOf: task)
        row.setAnimating(withStateOf: nil)
        #expect(row.calls.all == [.start, .stop])
        #expect(task.core.observationCount == 0)
        task.suspend()
        task.resume()
        #expect(row.calls.all == [.start, .stop])
        fresh.setAnimating(withStateOf: nil)
        #expect(fresh.calls.all == [.stop])
    }

    @Test("B05: unbind(leavingAnimation: true) leaves it as it is, unbind() stops it")
    func unbound() {
        let task = PlainTask(), left = Row(), stopped = Row(), fresh = Row()
        task.resume()
        left.setAnimating(withStateOf: task)
        stopped.setAnimating(withStateOf: task)
        left.binding.unbind(leavingAnimation: true)
        stopped.binding.unbind()
        fresh.binding.unbind()
        #expect(task.core.observationCount == 0)
        task.core.end(.done)
        #expect(left.calls.all == [.start])
        #expect(stopped.calls.all == [.start, .stop])
        #expect(fresh.calls.all == [])
    }

    @Test("B06: rebinding: only the last task counts")
    func rebinding() {
        let old = PlainTask(), new = PlainTask(), row = Row()
        old.resume()
        row.setAnimating(withStateOf: old)
        row.setAnimating(withStateOf: new)
        #expect(old.core.observationCount == 0)
        old.suspend()
        old.resume()
        old.core.end(.done)
        #expect(row.calls.all == [.start, .stop])
        new.resume()
        #expect(row.calls.all == [.start, .stop, .start])
    }

    @Test("B06: binding the same task twice acts once per event")
    func boundTwice() {
        let task = PlainTask(), row = Row()
        row.setAnimating(withStateOf: task)
        row.setAnimating(withStateOf: task)
        #expect(task.core.observationCount == 1)
        task.resume()
        #expect(row.calls.all == [.stop, .stop, .start])
    }

    @Test("B07: an event under way when the indicator is rebound by the thread that delivers it changes nothing")
    func reboundByTheDeliverer() {
        let old = PlainTask(), new = PlainTask()
        let rebinds = Locked<(@Sendable () -> Void)?>(nil)
        let row = Row { call in
            guard call == .start, let rebind = rebinds.change({ $0.take() }) else { return }
            old.suspend()
            old.resume()  // two more calls of the old task lie ready
            rebind()
        }
        rebinds.value = { [weak row] in row?.setAnimating(withStateOf: new) }
        row.setAnimating(withStateOf: old)
        old.resume()
        #expect(row.calls.all == [.stop, .start, .stop])  // the last is the new task's
        #expect(!row.isAnimating)
        #expect(old.core.observationCount == 0)
    }

    @Test("B08: dropping the indicator ends the observation, its own deinit runs once, before the task completes")
    func indicatorIsHeldWeakly() {
        let task = PlainTask(), released = Counter()
        task.resume()
        var row: Row? = Row(onRelease: { released.up() })
        row?.setAnimating(withStateOf: task)
        #expect(task.core.observationCount == 1)
        row = nil
        #expect(released.value == 1)
        #expect(task.core.observationCount == 0)
        #expect(task.core.snapshot.state == .running)
        task.core.end(.done)
        #expect(released.value == 1)
    }

    @Test("B08: the binding does not extend the task's life; an abandoned task stops its indicator")
    func taskIsHeldWeakly() {
        let row = Row()
        weak var core: TaskCore?
        do {
            let task = PlainTask()
            core = task.core
            task.resume()
            row.setAnimating(withStateOf: task)
            #expect(row.isAnimating)
        }
        #expect(core == nil)
        #expect(!row.isAnimating)
    }

    @Test("B11: order is kept and lifecycle steps are not merged: resume, suspend, resume gives start, stop, start")
    func stepsAreNotMerged() {
        let task = PlainTask()
        let acts = Locked<[@Sendable () -> Void]>([{ task.suspend() }, { task.resume() }])
        let row = Row { call in
            guard call == .start else { return }
            for act in acts.change({ all in
                defer { all = [] }; return all
            }) { act() }  // posted from inside: stored
        }
        row.setAnimating(withStateOf: task)
        task.resume()
        #expect(row.calls.all == [.stop, .start, .stop, .start])
    }

    @Test("B11: the poster never waits for an indicator that is busy on another thread")
    func posterDoesNotWait() async {
        let task = PlainTask(), latch = ThreadGate(), entered = Record<IndicatorCall>()
        let row = Row { call in
            entered.append(call)
            if call == .start { latch.wait() }
        }
        row.setAnimating(withStateOf: task)
        let busy = Threads.start { task.resume() }
        await entered.wait { $0.last == .start }
        for _ in 0..<100 {
            task.suspend()
            task.resume()
        }
        #expect(row.calls.count == 2)
        latch.open()
        await busy.join()
        #expect(row.calls.count == 202)
        #expect(row.calls.all.alternates)
        #expect(row.overlaps.value == 0)
    }

    @Test(
        "B14: success, HTTP error, transport error, timeout, skip and cancel all stop it",
        arguments: [
            .done, .failed(TransferError(.http, "404 Not Found", status: 404)), .lost,
            .failed(TransferError(.timeout, "no answer in 30 s")), .skipped(reason: "exists"), .ended,
        ] as [TaskOutcome])
    func everyEndStops(outcome: TaskOutcome) {
        let task = PlainTask(), row = Row()
        task.resume()
        row.setAnimating(withStateOf: task)
        task.core.end(outcome)
        #expect(row.calls.all == [.start, .stop])
        #expect(task.core.snapshot.outcome == outcome)
        #expect(task.core.observationCount == 0)
    }

    @Test("B14: a blocked completion handler does not keep it spinning")
    func blockedHandler() async {
        let task = PlainTask(), latch = ThreadGate(), entered = Record<Int>(), row = Row()
        task.resume()
        let observation = task.life.observe { update in
            guard update.isTerminal else { return }
            entered.append(1)
            latch.wait()
        }
        row.setAnimating(withStateOf: task)  // bound after the handler
        let reader = Task { await task.life.updates.reduce(into: 0) { count, _ in count += 1 } }
        let poster = Threads.start { task.core.end(.done) }
        await entered.wait(for: 1)
        #expect(!row.isAnimating)
        #expect(await reader.value >= 1)
        latch.open()
        await poster.join()
        withExtendedLifetime(observation) {}
    }

    @Test("B15: several indicators on one task all follow; tearing one down leaves the others")
    func severalIndicators() {
        let task = PlainTask()
        var rows = (0..<5).map { _ in Row() }
        for row in rows { row.setAnimating(withStateOf: task) }
        rows[2].setAnimating(withStateOf: nil)
        rows.removeLast()
        task.resume()
        #expect(rows.map(\.isAnimating) == [true, true, false, true])
        task.core.end(.done)
        #expect(rows.allSatisfy { !$0.isAnimating })
    }

    @Test(
        "B16: drop the indicator, then resume, complete or suspend: no crash, indicator gone, observation count 0",
        arguments: ["resume", "complete", "suspend"])
    func droppedBeforeAnEvent(event: String) {
        let task = PlainTask(), released = Counter()
        if event == "suspend" { task.resume() }
        do {
            let row = Row(onRelease: { released.up() })
            row.setAnimating(withStateOf: task)
        }
        #expect(released.value == 1)
        #expect(task.core.observationCount == 0)
        switch event {
        case "resume": task.resume()
        case "complete": task.core.end(.done)
        default: task.suspend()
        }
        #expect(released.value == 1)
        #expect(task.core.observationCount == 0)
    }

    @Test(
        "B18: start and stop are idempotent at the indicator: binding again repeats the last, extra commands make none")
    func startAndStopAreIdempotent() {
        let task = PlainTask(), row = Row()
        row.setAnimating(withStateOf: task)
        for _ in 0..<3 { task.resume() }
        #expect(row.calls.all == [.stop, .start])
        for _ in 0..<3 { row.setAnimating(withStateOf: task) }
        #expect(row.isAnimating)
        for _ in 0..<3 { task.suspend() }
        for _ in 0..<3 { row.setAnimating(withStateOf: nil) }
        #expect(!row.isAnimating)
        #expect(row.calls.all.dropFirst(5) == [.stop, .stop, .stop, .stop])
    }

    @Test("B12: nested suspends do not count: one resume runs it")
    func nestedSuspends() {
        let task = PlainTask(), row = Row()
        row.setAnimating(withStateOf: task)
        task.resume()
        for _ in 0..<3 { task.suspend() }
        task.resume()
        #expect(task.core.snapshot.state == .running)
        #expect(row.calls.all == [.stop, .start, .stop, .start])
    }

    @Test("B19: tasks started from inside a call, binding, cancelling or looking at tasks there: no deadlock")
    func callsMayDoAnything() {
        let task = PlainTask(), next = PlainTask(), bystander = Row()
        let seen = Record<TaskState>()
        let row = Row { call in
            guard call == .start else { return }
            next.resume()
            bystander.setAnimating(withStateOf: next)
            seen.append(task.life.snapshot.state)
            let observation = next.life.observe { seen.append($0.snapshot.state) }
            observation.cancel()
            task.cancel()
        }
        row.setAnimating(withStateOf: task)
        task.resume()
        #expect(row.calls.all == [.stop, .start, .stop])
        #expect(task.core.snapshot.state == .canceling)
        #expect(bystander.isAnimating)
        #expect(seen.all == [.running, .running])
        #expect(next.core.observationCount == 1)
    }
}
