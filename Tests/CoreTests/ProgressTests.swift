import Testing
import WhirlCore

@Suite("Progress", .timeLimit(.minutes(5))) struct ProgressTests {
    @Test("P01: initial value at bind; rebinding or nil detaches", arguments: [true, false])
    func initialValue(rebinds: Bool) {
        let task = PlainTask(), bar = Bar()
        task.core.report(received: 10, total: 100)
        bar.setAnimating(withStateOf: task)
        #expect(bar.calls.all == [.progress(TransferProgress(received: 10, total: 100)), .stop])
        bar.setAnimating(withStateOf: rebinds ? PlainTask() : nil)
        let shown = bar.shown
        task.core.report(received: 20, total: 100)
        #expect(bar.shown == shown)
        #expect(task.core.observationCount == 0)
    }

    @Test("P01: an indicator dropped in mid-transfer is safe")
    func droppedInMidTransfer() async {
        let task = PlainTask()
        task.resume()
        await Threads.race(2) { thread in
            for number in 0..<2000 {
                if thread == 0 {
                    task.core.report(received: Int64(number), total: 2000)
                } else {
                    Bar().setAnimating(withStateOf: task)
                }
            }
        }
        #expect(task.core.observationCount == 0)
    }

    @Test(
        "P02: fraction within 0...1, never NaN, below 1 until the task has completed",
        arguments: [-1, 0, 1, 99, 100, 101, .max] as [Int64], [-1, 0, 1, 100, .max] as [Int64])
    func fraction(received: Int64, total: Int64) throws {
        let fraction = try #require(TransferProgress(received: received, total: total).fraction)
        #expect(fraction >= 0 && fraction < 1)
    }

    @Test("P02: the first of a non-empty body < 1; all of its bytes are still < 1; its completion is 1")
    func firstIsBelowOne() {
        let task = PlainTask(), bar = Bar()
        task.resume()
        bar.setAnimating(withStateOf: task)
        task.core.report(received: 100, total: 100)
        #expect(bar.shown.map(\.fraction) == [nil, (1.0).nextDown])
        task.core.end(.done)
        #expect(bar.shown.map(\.fraction) == [nil, (1.0).nextDown, 1])
        #expect(bar.calls.last == .stop)
    }

    @Test("P02: a zero-length body gives exactly one final update")
    func zeroLengthBody() {
        let task = PlainTask(), bar = Bar()
        task.resume()
        bar.setAnimating(withStateOf: task)
        task.core.end(.done)
        #expect(bar.shown.map(\.fraction) == [nil, 1])
        #expect(bar.shown.last?.received == 0)
    }

    @Test("P03: unknown total is indeterminate, not 0; becomes 1 on success; left where it was on failure")
    func unknownTotal() {
        for (outcome, last) in [(TaskOutcome.done, 1.0 as Double?), (.lost, nil), (.ended, nil)] {
            let task = PlainTask(), bar = Bar()
            task.resume()
            bar.setAnimating(withStateOf: task)
            task.core.report(received: 5, total: nil)
            #expect(bar.shown.map(\.fraction) == [nil, nil])
            task.core.end(outcome)
            #expect(bar.shown.last?.fraction == last)
            #expect(bar.shown.last?.received == 5)
        }
    }

    @Test("P03: a known total too is left where it was on failure")
    func leftWhereItWas() {
        let task = PlainTask(), bar = Bar()
        task.resume()
        bar.setAnimating(withStateOf: task)
        task.core.report(received: 50, total: 100)
        task.core.end(.lost)
        #expect(bar.shown.last == TransferProgress(received: 50, total: 100))
    }

    @Test("P04: monotonic within an attempt; a restart is announced before the number falls")
    func monotonic() {
        let task = PlainTask(), bar = Bar(), witness = Witness()
        task.resume()
        bar.setAnimating(withStateOf: task)
        let observation = task.life.observe { witness.note($0) }
        task.core.report(received: 50, total: 100)
        task.core.report(received: 40, total: 100)
        task.core.restart(reason: "changed")
        task.core.report(received: 20, total: 100)
        #expect(bar.shown.map(\.received) == [0, 50, 0, 20])
        #expect(witness.updates.all.map(\.event) == [nil, .progress, .restarted(reason: "changed"), .progress])
        #expect(witness.faults == [])
        withExtendedLifetime(observation) {}
    }

    @Test("P04: reports from several threads never make the number fall")
    func monotonicUnderStorm() async {
        for _ in 0..<50 {
            let task = PlainTask(), witness = Witness()
            task.resume()
            let observation = task.life.observe { witness.note($0) }
            await Threads.race(3) { thread in
                for number in 0..<100 { task.core.report(received: Int64(number * 3 + thread), total: nil) }
            }
            task.core.end(.done)
            await witness.end()
            #expect(witness.faults == [])
            #expect(witness.last?.progress.received == 299)
            withExtendedLifetime(observation) {}
        }
    }

    @Test("P05: a continued transfer counts from the offset")
    func continued() {
        let task = PlainTask(), bar = Bar()
        task.resume()
        bar.setAnimating(withStateOf: task)
        task.core.beginAttempt(offset: 60)
        #expect(bar.shown.last == TransferProgress(received: 60))
        task.core.report(received: 80, total: 100)
        #expect(bar.shown.last?.fraction == 0.8)
        #expect(task.core.snapshot.offset == 60)
        #expect(task.core.snapshot.attempt == 1)
    }

    @Test("Progress is latest-wins for a slow indicator, lifecycle steps are not, and the last progress is exact")
    @MainActor func latestWins() async {
        let task = PlainTask(), bar = MainBar()
        bar.setAnimating(withStateOf: task)
        task.resume()
        for number in Int64(1)...1000 { task.core.report(received: number, total: 1000) }
        task.suspend()
        task.resume()
        task.core.end(.done)
        await bar.calls.wait { $0.count { $0 == .stop } == 3 }
        let all = TransferProgress(received: 1000, total: 1000)
        #expect(
            bar.calls.all == [
                .progress(TransferProgress()), .stop, .start, .progress(all), .stop, .start,
                .progress(task.core.snapshot.progress), .stop,
            ])
    }

    @Test("What a poster leaves behind arrives even if nobody posts again")
    func lastProgressArrives() async {
        for last in Int64(1)...30 {
            let task = PlainTask(), seen = Record<Int64>()
            let next: @Sendable (Int64) -> Void = { received in
                seen.append(received)
                if received < last { task.core.report(received: received + 1, total: nil) }
            }
            let observation = task.life.observe { next($0.snapshot.progress.received) }
            await seen.wait { $0.last == last }
            observation.cancel()
            let bar = Bar { progress in
                if progress.received < 2 * last { task.core.report(received: progress.received + 1, total: nil) }
            }
            bar.setAnimating(withStateOf: task)
            await bar.calls.wait { $0.last?.progress?.received == 2 * last }
        }
    }

    @Test("A change from inline to actor delivery loses no turn that was asked for")
    func changingTheWay() async {
        let task = PlainTask(), calls = Record<IndicatorCall>(), release = ThreadGate()
        for _ in 0..<64 { Task.detached { release.wait() } }
        let bar = Bar { progress in
            if progress.received < 20 { task.core.report(received: progress.received + 1, total: nil) }
        }
        bar.setAnimating(withStateOf: task)  // leaves a turn asked for
        bar.binding.follow(task, progress: true) { @Other due in
            for call in due { calls.append(call) }
        }
        release.open()
        await calls.wait(for: 2)
        task.resume()
        await calls.wait { $0.last == .start }
        #expect(calls.all.first?.progress != nil)
    }

    @Test("A subclass may add progress to an indicator that has none")
    func subclass() {
        class Base: ActivityIndicator, @unchecked Sendable {
            let binding = IndicatorBinding()
            func startAnimating() {}
            func stopAnimating() {}
        }
        final class Shown: Base, ProgressIndicator, @unchecked Sendable {
            let shown = Record<TransferProgress>()
            func show(_ progress: TransferProgress) { shown.append(progress) }
        }
        let task = PlainTask(), indicator = Shown()
        indicator.setAnimating(withStateOf: task)
        task.core.report(received: 1, total: 2)
        #expect(indicator.shown.all.map(\.received) == [0, 1])
    }

    @Test("An indicator without progress is told of none; one with progress is, however it is named")
    func askedOfTheObject() {
        let task = PlainTask(), row = Row(), bar = Bar()
        let plain: any ActivityIndicator & Sendable = bar
        row.setAnimating(withStateOf: task)
        plain.setAnimating(withStateOf: task)
        task.core.report(received: 1, total: 2)
        #expect(row.calls.all == [.stop])
        #expect(bar.shown.map(\.received) == [0, 1])
    }
}
