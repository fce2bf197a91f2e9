import Testing
import WhirlCore

@Suite("Observing a task under storm", .timeLimit(.minutes(5))) struct ObservationStormTests {
    @Test("Observers attached while the task storms are told everything in order, with no gap and no repeat")
    func attachRacesTransitions() async {
        for _ in 0..<20 {
            let task = TaskCore()
            let kept = Record<(witness: Witness, observation: Observation)>()
            await Threads.race(6) { thread in
                for turn in 0..<300 { Self.act(task, thread, turn, kept) }
            }
            await Threads.race(4) { _ in task.end(.done) }
            #expect(kept.count == 30)
            for (witness, _) in kept.all {
                await witness.end()
                #expect(witness.faults == [])
                #expect(witness.last == task.snapshot)
            }
            #expect(task.observationCount == 0)
        }
    }

    private static func act(
        _ task: TaskCore, _ thread: Int, _ turn: Int, _ kept: Record<(witness: Witness, observation: Observation)>
    ) {
        switch thread {
        case 0: task.resume()
        case 1: task.suspend()
        case 2: task.report(received: Int64(turn * 10), total: 3000)
        case 3 where turn % 3 == 0: task.retry(after: 0, error: TransferError(.reset, "lost"))
        case 4, 5:
            guard turn % 10 == 0 else { return }
            let witness = Witness()
            let observation = task.life.observe { witness.note($0) }
            if turn % 20 == 0 { kept.append((witness, observation)) }
        default: Threads.yield()
        }
    }

    @Test("When cancel() returns on another thread, at most one call is under way and none follows it")
    func cancelFromAnotherThread() async {
        for _ in 0..<300 {
            let task = TaskCore(), calls = Counter(), atCancel = Locked(0)
            let observation = task.life.observe { _ in
                Threads.yield()
                calls.up()
            }
            await Threads.race(3) { thread in
                switch thread {
                case 0:
                    Threads.yield()
                    observation.cancel()
                    atCancel.value = calls.value
                case 1:
                    for _ in 0..<200 {
                        task.resume()
                        task.suspend()
                    }
                default: for number in 0..<200 { task.report(received: Int64(number), total: nil) }
                }
            }
            #expect(calls.value - atCancel.value <= 1)
            #expect(task.observationCount == 0)
        }
    }

    @Test("B19: posting, observing, binding and cancelling from inside callbacks, on four threads: no deadlock, no gap")
    func callbacksMayDoAnything() async {
        for _ in 0..<100 {
            let tangle = Tangle()
            await Threads.race(4) { thread in
                let (own, other) = thread % 2 == 0 ? (tangle.one, tangle.two) : (tangle.two, tangle.one)
                for _ in 0..<20 { own.core.resume() }
                for _ in 0..<5 { other.core.suspend() }
                tangle.one.cancel()
                tangle.two.cancel()
            }
            for witness in tangle.witnesses.all {
                await witness.end()
                #expect(witness.faults == [])
            }
            tangle.dissolve()
        }
    }

    @Test("What a handler holds may post, observe and bind when it is released: nothing is released under a lock")
    func releasedObjectsCallBack() async {
        for _ in 0..<150 {
            let task = PlainTask(), row = Row()
            task.resume()
            let callBack: @Sendable () -> Void = {
                _ = task.core.snapshot
                task.suspend()
                task.resume()
                task.life.observe { _ in }.cancel()
                row.setAnimating(withStateOf: task)
                row.setAnimating(withStateOf: nil)
            }
            // The handler alone holds the guest, so that it is released where the handler is.
            @Sendable func observe() -> Observation {
                let guest = Guest(onRelease: callBack)
                return task.life.observe { _ in withExtendedLifetime(guest) {} }
            }
            await Threads.race(4) { _ in
                for turn in 0..<20 {
                    let observation = observe()
                    if turn % 2 == 0 { observation.cancel() }
                    task.resume()
                }
            }
            let observation = observe()
            task.core.end(.done)  // this one is released by the terminal update
            withExtendedLifetime(observation) {}
            #expect(task.core.observationCount == 0)
            #expect(!row.isAnimating)
        }
    }

    @Test("Order holds when a handler posts without end: 500 steps from one resume")
    func ordersOverTurns() async {
        let task = TaskCore(), witness = Witness()
        let observation = task.life.observe { update in
            witness.note(update)
            if update.snapshot.ordinal >= 500 {
                task.end(.done)
            } else if update.snapshot.state == .running {
                task.suspend()
            } else {
                task.resume()
            }
        }
        await witness.end()
        #expect(witness.faults == [])
        #expect(witness.updates.count == 502)
        withExtendedLifetime(observation) {}
    }

    @Test("A poster is not kept to deliver a stream of progress: after a few it leaves the rest, and the rest arrives")
    func posterIsNotCaptured() async {
        let task = TaskCore(), threads = Record<UInt>(), seen = Record<Int64>(), last: Int64 = 1000
        let kept = Record<(observation: Observation, calls: Int)>()
        let poster = Threads.start {
            let observation = task.life.observe { update in
                threads.append(Threads.current)
                let received = update.snapshot.progress.received
                if received < last { task.report(received: received + 1, total: nil) }  // there is always one more
                seen.append(received)
            }
            kept.append((observation, threads.all.count { $0 == Threads.current }))
        }
        await poster.join()
        #expect(kept.all.allSatisfy { $0.calls < 12 })
        await seen.wait { $0.last == last }
    }

    @Test("A lifecycle event behind a progress that nobody has patience for is not left to the pool")
    func lifecycleBehindProgress() async {
        let release = ThreadGate(), done = Record<[IndicatorCall]>()
        for _ in 0..<64 { Task.detached { release.wait() } }
        let judge = Threads.start {
            for last in Int64(1)...7 {
                let task = PlainTask()
                let bar = Bar { progress in
                    if progress.received <= last { task.core.report(received: progress.received + 1, total: nil) }
                    if progress.received == last { task.suspend() }
                }
                task.resume()
                bar.setAnimating(withStateOf: task)
                done.append(bar.calls.all)
            }
            release.open()
        }
        await judge.join()
        #expect(done.all.allSatisfy { $0.contains(.stop) })
    }

    @Test("Lifecycle events reach inline receivers although every thread of the concurrency pool is stuck")
    func stuckPoolHoldsUpNoLifecycle() async {
        let core = TaskCore(), task = PlainTask(core), turns = Counter(), release = ThreadGate()
        let toggle: @Sendable () -> Void = {
            guard turns.up() < 200 else { return }
            if core.snapshot.state == .running { core.suspend() } else { core.resume() }
        }
        let row = Row { _ in toggle() }
        row.setAnimating(withStateOf: task)
        let witness = Witness()
        let observation = core.life.observe {
            witness.note($0)
            toggle()
        }
        for _ in 0..<64 { Task.detached { release.wait() } }
        let ended = Counter(), right = Record<Bool>()
        let posters = (0..<4).map { thread in
            Threads.start {
                for turn in 0..<400 { if (turn + thread) % 2 == 0 { task.resume() } else { task.suspend() } }
                guard ended.up() == 4 else { return }
                let steps = Int(core.snapshot.ordinal)
                right.append(row.calls.count == steps + 1 && witness.last?.ordinal == core.snapshot.ordinal)
                release.open()
            }
        }
        for each in posters { await each.join() }
        #expect(right.all == [true])
        #expect(row.overlaps.value == 0)
        #expect(witness.faults == [])
        withExtendedLifetime(observation) {}
    }
}

/// Two tasks whose observers act on both of them, on indicators, and on further observations.
private final class Tangle: Sendable {
    let one = PlainTask(), two = PlainTask()
    let witnesses = Record<Witness>()
    private let rows = [Row(), Row()]
    private let kept = Locked<[Observation]>([])

    init() {
        wire(one, two)
        wire(two, one)
    }

    func dissolve() {
        for row in rows { row.setAnimating(withStateOf: nil) }
        kept.value = []
    }

    private func wire(_ own: PlainTask, _ other: PlainTask) {
        let first = Witness(), second = Witness()
        for witness in [first, second] { witnesses.append(witness) }
        keep(
            own.life.observe { [weak self] update in
                first.note(update)
                self?.act(on: update, own, other)
            })
        keep(own.life.observe { second.note($0) })
    }

    private func keep(_ observation: Observation) { kept.change { $0.append(observation) } }

    private func act(on update: TaskUpdate, _ own: PlainTask, _ other: PlainTask) {
        if update.event == .canceling { own.core.end(.ended) }
        guard update.snapshot.ordinal < 30 else { return }
        switch update.event {
        case .resumed:
            other.resume()
            own.suspend()
            rows[0].setAnimating(withStateOf: own)
        case .suspended:
            own.resume()
            rows[1].setAnimating(withStateOf: other)
            other.life.observe { _ in own.core.report(received: 5, total: nil) }.cancel()
        case nil: keep(own.life.observe { _ in other.resume() })
        default: break
        }
    }
}
