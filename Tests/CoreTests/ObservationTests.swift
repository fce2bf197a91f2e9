import Testing
import WhirlCore

@Suite("Observing a task", .timeLimit(.minutes(5))) struct ObservationTests {
    @Test("An observer is given the task as it is now, on this thread, before observe returns, then every update")
    func snapshotFirst() {
        let task = TaskCore(), seen = Record<TaskUpdate>(), threads = Record<UInt>()
        task.resume()
        let observation = task.life.observe {
            seen.append($0)
            threads.append(Threads.current)
        }
        #expect(seen.all.map(\.event) == [nil])
        task.suspend(reason: "user")
        task.end(.done)
        #expect(seen.all.map(\.event) == [nil, .suspended(reason: "user"), .ended(.done)])
        #expect(seen.all.map(\.snapshot.state) == [.running, .suspended, .completed])
        #expect(Set(threads.all) == [Threads.current])
        withExtendedLifetime(observation) {}
    }

    @Test("A task that has ended tells an observer so, once")
    func observedAfterTheEnd() {
        let task = TaskCore(), witness = Witness()
        task.end(.lost)
        let observation = task.life.observe { witness.note($0) }
        #expect(witness.updates.all.map(\.isTerminal) == [true])
        #expect(task.observationCount == 0)
        withExtendedLifetime(observation) {}
    }

    @Test("Cancelling or releasing the observation ends it", arguments: [true, false])
    func ended(byCancelling: Bool) {
        let task = TaskCore(), seen = Record<TaskUpdate>()
        var observation: Observation? = task.life.observe { seen.append($0) }
        #expect(task.observationCount == 1)
        if byCancelling { observation?.cancel() } else { observation = nil }
        #expect(task.observationCount == 0)
        task.resume()
        #expect(seen.count == 1)
        observation?.cancel()
    }

    @Test("What the handler holds is released by the cancel and by the terminal update")
    func handlerIsReleased() {
        let task = TaskCore(), released = Counter()
        func subscribe() -> Observation {
            let guest = Guest { released.up() }
            return task.life.observe { _ in withExtendedLifetime(guest) {} }
        }
        let cancelled = subscribe(), kept = subscribe()
        cancelled.cancel()
        #expect(released.value == 1)
        task.end(.done)
        #expect(released.value == 2)
        withExtendedLifetime((cancelled, kept)) {}
    }

    @Test("Cancelled in its own call: that call was the last, however others storm")
    func cancelledInItsOwnCall() async {
        for _ in 0..<200 {
            let task = TaskCore(), calls = Counter()
            let own = Locked<Observation?>(nil)
            own.value = task.life.observe { _ in
                if calls.up() == 3 { own.value?.cancel() }
            }
            await Threads.race(2) { _ in
                for _ in 0..<50 {
                    task.resume()
                    task.suspend()
                }
            }
            #expect(calls.value == 3)
            own.value = nil
        }
    }

    @Test("B13: exactly one terminal event, nothing after it, however often the end is reported")
    func oneTerminalEvent() async {
        for _ in 0..<500 {
            let task = TaskCore(), witness = Witness(), wins = Counter()
            task.resume()
            let observation = task.life.observe { witness.note($0) }
            await Threads.race(4) { thread in
                if thread == 0 { task.cancel() }
                if task.end(thread % 2 == 0 ? .done : .lost) { wins.up() }
                task.resume()
                task.report(received: 9, total: 9)
                task.end(.ended)
            }
            #expect(wins.value == 1)
            #expect(witness.updates.all.filter(\.isTerminal).count == 1)
            #expect(witness.last?.outcome == task.snapshot.outcome)
            #expect(witness.faults == [])
            withExtendedLifetime(observation) {}
        }
    }

    @Test("B13: identity by a unique id, never reused, also when tasks are made on many threads and released at once")
    func identifiersAreUnique() async {
        let all = Locked<Set<TaskID>>([])
        await Threads.race(4) { _ in
            let mine = (0..<5000).map { _ in TaskCore().id }
            all.change { $0.formUnion(mine) }
        }
        #expect(all.value.count == 20_000)
        #expect(all.value.allSatisfy { $0.number > 0 })
        let earlier = TaskCore().id, later = TaskCore().id
        #expect(earlier < later)
    }

    @Test("B20: resumed is delivered when the task's state already says running")
    func resumedWhenRunning() async {
        let task = TaskCore(), states = Record<TaskState>()
        let observation = task.life.observe { update in
            guard update.event == .resumed else { return }
            states.append(update.snapshot.state)
            states.append(task.snapshot.state)
        }
        task.resume()
        #expect(states.all == [.running, .running])
        observation.cancel()
    }

    @Test("B14: a handler that blocks in a progress holds up no other handler: the next post delivers to them")
    func blockedInProgress() async {
        let task = TaskCore(), latch = ThreadGate(), entered = Record<Int>(), told = Witness()
        task.resume()
        let blocking = task.life.observe { update in
            guard update.event == .progress else { return }
            entered.append(1)
            latch.wait()
        }
        let other = task.life.observe { told.note($0) }
        let poster = Threads.start { task.report(received: 1, total: nil) }
        await entered.wait(for: 1)
        task.end(.done)
        #expect(told.updates.all.map(\.event) == [nil, .progress, .ended(.done)])
        latch.open()
        await poster.join()
        withExtendedLifetime((blocking, other)) {}
    }

    @Test("A task that is released unfinished ends as cancelled, for want of anyone who could end it")
    func abandoned() {
        let witness = Witness()
        var task: TaskCore? = TaskCore()
        task?.resume()
        let observation = task?.life.observe { witness.note($0) }
        task = nil
        #expect(witness.last?.outcome == .cancelled(reason: "abandoned"))
        #expect(witness.faults == [])
        withExtendedLifetime(observation) {}
    }
}

/// Something that does what it is told when it is released.
final class Guest: Sendable {
    private let onRelease: @Sendable () -> Void

    init(onRelease: @escaping @Sendable () -> Void) { self.onRelease = onRelease }

    deinit { onRelease() }
}
