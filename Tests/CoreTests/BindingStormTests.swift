import Testing
import WhirlCore

@Suite("The binding under storm", .timeLimit(.minutes(5))) struct BindingStormTests {
    @Test("B09: subscribe and read in one step: 10,000 binds racing completion never leave one spinning")
    func bindsRaceCompletion() async {
        let rows = (0..<10_000).map { _ in Row() }
        let tasks = (0..<10_000).map { _ in PlainTask() }
        for task in tasks { task.resume() }
        await Threads.race(2) { thread in
            for index in 0..<10_000 {
                if thread == 0 {
                    rows[index].setAnimating(withStateOf: tasks[index])
                } else {
                    tasks[index].core.end(.done)
                }
            }
        }
        #expect(rows.filter(\.isAnimating).isEmpty)
        #expect(tasks.allSatisfy { $0.core.observationCount == 0 })
    }

    @Test(
        "B09: a bind that begins together with a transition misses nothing",
        arguments: ["resume", "suspend", "cancel", "end"])
    func bindInLockstep(with transition: String) async {
        for _ in 0..<300 {
            let row = Row(), task = PlainTask()
            if transition != "resume" { task.resume() }
            await Threads.race(2) { thread in
                guard thread == 1 else { return row.setAnimating(withStateOf: task) }
                switch transition {
                case "resume": task.resume()
                case "suspend": task.suspend()
                case "cancel": task.cancel()
                default: task.core.end(.done)
                }
            }
            #expect(row.isAnimating == (transition == "resume"))
            #expect(row.overlaps.value == 0)
        }
    }

    @Test("B12: after any interleaving of resume, suspend and cancel from N threads: animating if and only if running")
    func animatesIfAndOnlyIfRunning() async {
        for round in 0..<200 {
            let task = PlainTask(), row = Row()
            row.setAnimating(withStateOf: task)
            await Threads.race(4) { thread in
                for turn in 0..<50 {
                    switch (thread + turn) % 3 {
                    case 0: task.resume()
                    case 1: task.suspend()
                    default:
                        if turn == 40 && round % 4 == 0 { task.cancel() }
                        if turn == 40 && round % 4 == 1 { task.core.end(.done) }
                        task.resume()
                    }
                }
            }
            // Lifecycle calls are made by the posters themselves: all have been made.
            #expect(row.isAnimating == (task.core.snapshot.state == .running))
            #expect(row.overlaps.value == 0)
            #expect(row.calls.all.alternates)
        }
    }

    @Test("B06: rebinding from many threads while the tasks storm: only the last task counts")
    func rebindingFromManyThreads() async {
        for _ in 0..<100 {
            let tasks = (0..<4).map { _ in PlainTask() }, row = Row()
            await Threads.race(5) { thread in
                for turn in 0..<60 {
                    let task = tasks[(thread + turn) % 4]
                    if thread < 3 {
                        row.setAnimating(withStateOf: turn % 7 == 6 ? nil : task)
                    } else if turn % 2 == 0 {
                        task.resume()
                    } else {
                        task.suspend()
                    }
                }
            }
            let bound = tasks.filter { $0.core.observationCount > 0 }
            #expect(tasks.map(\.core.observationCount).reduce(0, +) <= 1)
            #expect(row.isAnimating == (bound.first?.core.snapshot.state == .running))
            #expect(row.overlaps.value == 0)
            row.setAnimating(withStateOf: tasks[0])
            tasks[0].resume()
            for task in tasks[1...] {
                task.resume()
                task.suspend()
            }
            #expect(row.isAnimating)
            #expect(tasks.map(\.core.observationCount) == [1, 0, 0, 0])
        }
    }

    @Test("B07: rebound from A to B while A storms: at most one call of A completes, B has the last word")
    func nothingOfTheOldTaskStays() async {
        for round in 0..<500 {
            let old = PlainTask(), new = PlainTask()
            let row = Row { _ in Threads.yield() }
            if round % 2 == 0 { new.resume() }
            row.setAnimating(withStateOf: old)
            let counts = Locked(0)
            await Threads.race(2) { thread in
                if thread == 0 {
                    for _ in 0..<20 {
                        old.resume()
                        old.suspend()
                    }
                    old.resume()
                } else {
                    for _ in 0..<3 { Threads.yield() }
                    row.setAnimating(withStateOf: round % 3 == 0 ? nil : new)
                    counts.value = row.calls.count
                }
            }
            let expected: IndicatorCall = round % 3 != 0 && round % 2 == 0 ? .start : .stop
            #expect(row.calls.last == expected)
            #expect(row.calls.count - counts.value <= 2)  // one that was being made, and the new binding's own
            #expect(row.overlaps.value == 0)
            #expect(old.core.observationCount == 0)
        }
    }

    @Test("B08: indicators dropped while their task storms: each deinit runs once, nothing stays observed")
    func droppedUnderFire() async {
        let released = Counter(), task = PlainTask()
        await Threads.race(4) { thread in
            for _ in 0..<1000 {
                if thread < 2 {
                    let row = Row(onRelease: { released.up() })
                    row.setAnimating(withStateOf: task)
                } else {
                    task.resume()
                    task.suspend()
                }
            }
        }
        #expect(released.value == 2000)
        #expect(task.core.observationCount == 0)
    }

    @Test("B08: tasks and their indicators released at the same time by two threads")
    func releasedTogether() async {
        for _ in 0..<200 {
            let released = Counter()
            let rows = Locked((0..<20).map { _ in Row(onRelease: { released.up() }) })
            let tasks = Locked((0..<20).map { _ in PlainTask() })
            do {
                for (row, task) in zip(rows.value, tasks.value) {
                    task.resume()
                    row.setAnimating(withStateOf: task)
                }
            }
            await Threads.race(2) { thread in
                if thread == 0 {
                    while rows.change({ $0.popLast() }) != nil {}
                } else {
                    while tasks.change({ $0.popLast() }) != nil {}
                }
            }
            #expect(released.value == 20)
        }
    }

    @Test("B08: the last reference to an indicator released inside a post; its deinit binds and posts")
    func releasedInsideAPost() async {
        for _ in 0..<200 {
            let task = PlainTask(), other = Row()
            let rows = Locked<[Row]>([])
            let makeRow = {
                Row { _ in
                    _ = rows.change { $0.popLast() }
                } onRelease: {
                    task.suspend()
                    other.setAnimating(withStateOf: task)
                    task.resume()
                }
            }
            let all = (0..<10).map { _ in makeRow() }
            for row in all { row.setAnimating(withStateOf: task) }
            rows.change { $0 = all }
            _ = consume all
            await Threads.race(2) { _ in
                for _ in 0..<10 {
                    task.resume()
                    task.suspend()
                }
            }
            while rows.change({ $0.popLast() }) != nil {}
            task.core.end(.done)
            #expect(!other.isAnimating)
            #expect(task.core.observationCount == 0)
        }
    }

    @Test("B15: 100,000 tasks each with one indicator")
    func manyTasks() async {
        let tasks = (0..<100_000).map { _ in PlainTask() }
        let rows = tasks.map { task in
            let row = Row()
            row.setAnimating(withStateOf: task)
            return row
        }
        await Threads.race(2) { thread in
            for index in stride(from: thread, to: tasks.count, by: 2) { tasks[index].resume() }
        }
        let animating = rows.count(where: \.isAnimating)
        #expect(animating == rows.count)
        await Threads.race(2) { thread in
            for index in stride(from: thread, to: tasks.count, by: 2) { tasks[index].core.end(.done) }
        }
        let wrong = rows.filter { $0.calls.all != [.stop, .start, .stop] }
        #expect(wrong.isEmpty)
        #expect(tasks.allSatisfy { $0.core.observationCount == 0 })
    }

    @Test("B19: an indicator that rebinds itself, resumes and suspends in its own calls under storm: no deadlock")
    func rebindingFromItsOwnCalls() async {
        for _ in 0..<100 {
            let tasks = (0..<3).map { _ in PlainTask() }
            let own = Locked<Row?>(nil), count = Counter()
            let row = Row { call in
                let number = count.up()
                guard number < 25 else { return }
                own.value?.setAnimating(withStateOf: tasks[number % 3])
                if call == .start { tasks[number % 3].suspend() } else { tasks[(number + 1) % 3].resume() }
            }
            own.value = row
            row.setAnimating(withStateOf: tasks[0])
            await Threads.race(3) { thread in
                for _ in 0..<10 {
                    tasks[thread].resume()
                    tasks[thread].suspend()
                }
            }
            own.value = nil
            #expect(row.overlaps.value == 0)
            row.setAnimating(withStateOf: nil)
            #expect(!row.isAnimating)
            #expect(tasks.allSatisfy { $0.core.observationCount == 0 })
        }
    }
}
