import Testing
import WhirlCore

@Suite("The binding on actors", .timeLimit(.minutes(5))) @MainActor struct ActorBindingTests {
    @Test("B01: on the main actor the first call is made before setAnimating returns")
    func firstCall() {
        let task = PlainTask(), spinner = Spinner()
        task.resume()
        spinner.setAnimating(withStateOf: task)
        #expect(spinner.calls.all == [.start])
    }

    @Test("B05: unbind() stops a spinner of the main actor, unbind(leavingAnimation: true) does not")
    func unbound() async {
        let task = PlainTask(), stopped = Spinner(), left = Spinner()
        task.resume()
        stopped.setAnimating(withStateOf: task)
        left.setAnimating(withStateOf: task)
        stopped.binding.unbind()
        left.binding.unbind(leavingAnimation: true)
        await stopped.calls.wait(for: 2)
        await passTurns()
        #expect(stopped.calls.all == [.start, .stop])
        #expect(left.calls.all == [.start])
        #expect(task.core.observationCount == 0)
    }

    @Test("B07: on the main actor nothing of an old task comes after setAnimating has returned")
    func nothingAfterUnbinding() async {
        for _ in 0..<100 {
            let task = PlainTask(), spinner = Spinner()
            spinner.setAnimating(withStateOf: task)
            let poster = Threads.start {
                for _ in 0..<30 {
                    task.resume()
                    task.suspend()
                }
                task.resume()
            }
            await spinner.calls.wait(for: 3)
            spinner.setAnimating(withStateOf: nil)
            let calls = spinner.calls.all
            #expect(calls.last == .stop)
            await poster.join()
            await passTurns()
            #expect(spinner.calls.all == calls)
            #expect(task.core.observationCount == 0)
        }
    }

    @Test("B07: rebound in its own startAnimating: the old task's calls that lie ready are never made")
    func reboundInItsOwnCall() async {
        let old = PlainTask(), new = PlainTask(), spinner = Spinner()
        spinner.onCall = { [weak spinner] call in
            if call == .start { spinner?.setAnimating(withStateOf: new) }
        }
        spinner.setAnimating(withStateOf: old)
        for _ in 0..<5 {
            old.resume()
            old.suspend()
        }
        await spinner.calls.wait(for: 3)
        await passTurns()
        #expect(spinner.calls.all == [.stop, .start, .stop])
        #expect([old, new].map(\.core.observationCount) == [0, 1])
    }

    @Test("B08: a spinner dropped while a turn is asked for is released at once")
    func droppedWhileATurnIsAskedFor() async {
        for _ in 0..<300 {
            let released = Counter(), task = PlainTask()
            do {
                let spinner = Spinner(onRelease: { released.up() })
                spinner.setAnimating(withStateOf: task)
                task.resume()
            }
            #expect(released.value == 1)
            #expect(task.core.observationCount == 0)
        }
        await passTurns()
    }

    @Test("B09: 10,000 spinners bound while another thread completes their tasks: none is left spinning")
    func bindsRaceCompletion() async {
        let spinners = (0..<10_000).map { _ in Spinner() }
        let tasks = (0..<10_000).map { _ in PlainTask() }
        for task in tasks { task.resume() }
        let poster = Threads.start { for task in tasks { task.core.end(.done) } }
        for (spinner, task) in zip(spinners, tasks) { spinner.setAnimating(withStateOf: task) }
        await poster.join()
        for spinner in spinners { await spinner.calls.wait { $0.last == .stop } }
        #expect(tasks.allSatisfy { $0.core.observationCount == 0 })
    }

    @Test("B10: every start and stop on the main actor, also when another thread posts")
    func callsOnTheMainActor() async {
        let task = PlainTask(), spinner = Spinner()  // its calls check where they are made
        spinner.setAnimating(withStateOf: task)
        let poster = Threads.start {
            for _ in 0..<50 {
                task.resume()
                task.suspend()
            }
        }
        await poster.join()
        await spinner.calls.wait(for: 101)
        #expect(spinner.calls.all.alternates)
    }

    @Test("B10: bound on the main actor and inline by turns, an indicator sees no overlap and loses nothing")
    func bothWays() async {
        let row = Row(), task = PlainTask()
        let plain: any ActivityIndicator = row
        for _ in 0..<30 {
            let binder = Threads.start { for _ in 0..<20 { row.setAnimating(withStateOf: task) } }
            let poster = Threads.start {
                for _ in 0..<20 {
                    task.resume()
                    task.suspend()
                }
            }
            for _ in 0..<20 {
                plain.setAnimating(withStateOf: task)
                await Task.yield()
            }
            await binder.join()
            await poster.join()
        }
        task.resume()
        await row.calls.wait { $0.last == .start }
        #expect(row.overlaps.value == 0)
        #expect(task.core.observationCount == 1)
    }

    @Test("B10: an indicator of another actor is called there")
    func otherActors() async {
        let task = PlainTask()
        let spinner = OtherSpinner(), panel = Panel()
        await spinner.setAnimating(withStateOf: task)
        await panel.setAnimating(withStateOf: task)
        for _ in 0..<100 {
            task.resume()
            task.suspend()
        }
        task.resume()
        await spinner.calls.wait(for: 202)
        await panel.calls.wait(for: 202)
        #expect(spinner.calls.all.alternates)
        #expect(spinner.calls.all == panel.calls.all)
        await spinner.setAnimating(withStateOf: nil)
        await spinner.calls.wait { $0.count == 203 && $0.last == .stop }
        #expect(task.core.observationCount == 1)
    }

    @Test("A turn on the main actor makes a bounded number of calls before others get theirs")
    func boundedTurns() async {
        let task = PlainTask(), spinner = Spinner(), others = Record<Int>()
        spinner.setAnimating(withStateOf: task)
        spinner.onCall = { [calls = spinner.calls] _ in
            // Asks for a turn before the spinner's next one is asked for.
            guard calls.count == 2 else { return }
            Task.detached(priority: .high) { @MainActor in others.append(calls.count) }
        }
        for _ in 0..<500 {
            task.resume()
            task.suspend()
        }
        #expect(spinner.calls.all == [.stop])
        await others.wait(for: 1)
        #expect(others.all.allSatisfy { $0 <= 64 })
        await spinner.calls.wait(for: 1001)
        #expect(spinner.calls.all.alternates)
    }

    @Test("A turn on another actor makes a bounded number of calls, though each call makes another")
    func boundedTurnsElsewhere() async {
        let task = PlainTask(), binding = IndicatorBinding(), turns = Record<Int>()
        task.resume()
        binding.follow(task) { calls in
            var count = 0
            for call in calls {
                count += 1
                if call == .start { task.suspend() } else if turns.count < 3 { task.resume() }
            }
            turns.append(count)
        }
        await turns.wait(for: 4)
        #expect(turns.all.allSatisfy { $0 <= 64 })
    }

    @Test("Someone who does not take the calls is asked again when there is news, not over and over")
    func calledInVain() async {
        let task = PlainTask(), binding = IndicatorBinding(), turns = Counter(), seen = Record<IndicatorCall>()
        let visits = Record<Int>()
        binding.follow(task) { calls in
            let turn = turns.up()
            if turn > 2 { for call in calls { seen.append(call) } }
            visits.append(turn)
        }
        await visits.wait(for: 1)
        await passTurns(100)
        #expect(visits.all == [1])
        task.resume()
        await visits.wait(for: 2)
        await passTurns(100)
        task.core.end(.done)
        await seen.wait(for: 3)
        #expect(seen.all == [.stop, .start, .stop])
        #expect(turns.value == 3)
    }

    @Test("News that comes while someone does not take the calls is told in another turn")
    func newsInVain() async {
        let task = PlainTask(), binding = IndicatorBinding(), turns = Counter(), seen = Record<IndicatorCall>()
        binding.follow(task) { calls in
            if turns.up() == 1 { task.resume() } else { for call in calls { seen.append(call) } }
        }
        await seen.wait(for: 2)
        #expect(seen.all == [.stop, .start])
        #expect(turns.value == 2)
    }

    @Test("B11: emitting from the main actor waits for nothing; order is kept, nothing is merged")
    func orderOnTheMainActor() async {
        let task = PlainTask(), spinner = Spinner()
        spinner.setAnimating(withStateOf: task)
        task.resume()
        task.suspend()
        task.resume()
        #expect(spinner.calls.all == [.stop])
        await spinner.calls.wait(for: 4)
        #expect(spinner.calls.all == [.stop, .start, .stop, .start])
    }

    @Test("B12: on the main actor too: animating if and only if the task is running")
    func animatesIfAndOnlyIfRunning() async {
        for _ in 0..<50 {
            let task = PlainTask(), spinner = Spinner()
            spinner.setAnimating(withStateOf: task)
            await Threads.race(4) { thread in
                for turn in 0..<50 {
                    if (thread + turn) % 2 == 0 { task.resume() } else { task.suspend() }
                }
            }
            let steps = Int(task.core.snapshot.ordinal)
            await spinner.calls.wait(for: steps + 1)
            await passTurns(3)
            #expect(spinner.calls.count == steps + 1)
            #expect(spinner.isAnimating == (task.core.snapshot.state == .running))
            #expect(spinner.calls.all.alternates)
        }
    }
}
