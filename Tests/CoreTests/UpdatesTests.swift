import Testing
import WhirlCore

@Suite("A task's updates as a sequence", .timeLimit(.minutes(5))) struct UpdatesTests {
    @Test("Each reader has everything in order under storm, and ends after the terminal update")
    func everythingInOrder() async {
        for _ in 0..<30 {
            let task = TaskCore()
            let readers = (0..<3).map { _ in
                Task {
                    let witness = Witness()
                    for await update in task.life.updates { witness.note(update) }
                    return witness
                }
            }
            await Threads.race(3) { thread in
                for number in 0..<300 {
                    switch thread {
                    case 0: task.resume()
                    case 1: task.suspend()
                    default: task.report(received: Int64(number), total: 300)
                    }
                }
            }
            task.end(.done)
            for reader in readers {
                let witness = await reader.value
                #expect(witness.faults == [])
                #expect(witness.last == task.snapshot)
            }
            #expect(task.observationCount == 0)
        }
    }

    @Test("A slow reader holds one progress and every lifecycle update")
    func slowReader() async {
        let task = TaskCore()
        var reader = task.life.updates.makeAsyncIterator()
        task.resume()
        for number in Int64(1)...10_000 { task.report(received: number, total: nil) }
        task.suspend()
        task.end(.lost)
        var seen: [TaskUpdate] = []
        while let update = await reader.next() { seen.append(update) }
        #expect(seen.map(\.event) == [nil, .resumed, .progress, .suspended(reason: "user"), .ended(.lost)])
        #expect(seen.map(\.snapshot.progress.received) == [0, 0, 10_000, 10_000, 10_000])
        #expect(await reader.next() == nil)
    }

    @Test("A released iterator and a cancelled reader leave nothing behind")
    func nothingStays() async {
        let task = TaskCore()
        do {
            let iterator = task.life.updates.makeAsyncIterator()
            #expect(task.observationCount == 1)
            withExtendedLifetime(iterator) {}
        }
        #expect(task.observationCount == 0)
        for _ in 0..<200 {
            let reader = Task { for await _ in task.life.updates {} }
            let poster = Threads.start {
                for _ in 0..<5 {
                    task.resume()
                    task.suspend()
                }
            }
            reader.cancel()
            await reader.value
            await poster.join()
        }
        #expect(task.observationCount == 0)
    }

    @Test("B08: a sequence keeps no task alive; the abandoned task's end is its last update")
    func keepsNoTaskAlive() async {
        var core: TaskCore? = TaskCore()
        weak let seen = core
        var iterator = core?.life.updates.makeAsyncIterator()
        #expect(await iterator?.next()?.event == nil)
        core = nil
        #expect(seen == nil)
        #expect(await iterator?.next()?.snapshot.outcome == .cancelled(reason: "abandoned"))
        #expect(await iterator?.next() == nil)
    }
}
