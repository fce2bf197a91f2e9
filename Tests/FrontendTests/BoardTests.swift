import Synchronization
import Testing
import WhirlBoard
import WhirlCore

@Suite struct BoardTests {
    let clock: StageClock
    let board: Board
    let stage: Stage

    init() {
        let clock = StageClock()
        self.clock = clock
        board = Board(clock: { clock.now })
        stage = Stage(board, clock: clock)
        stage.begin()
    }

    private func names(_ from: Int = 0, _ count: Int = .max) -> [String] {
        board.view(from: from, count: count).rows.map(\.name)
    }

    /// created == queued + active + paused + ended, and every row stands where it is counted.
    private func checkSums() {
        let totals = board.totals
        #expect(totals.created == totals.queued + totals.active + totals.paused + totals.ended)
        let rows = board.view(from: 0, count: .max).rows
        #expect(rows.filter { $0.group == .active }.count == totals.active)
        #expect(rows.filter { $0.group == .queued }.count == totals.queued)
        #expect(rows.filter { $0.group == .paused }.count == totals.paused)
        #expect(rows.filter { $0.group == .failed }.count == totals.failed)
    }

    @Test("Rows come running first by their start, then queued, paused, failed, and done with the newest first")
    func order() {
        let tasks = ["a", "b", "c", "d", "e", "f", "g", "h"].map { stage.add($0) }
        #expect(names() == ["a", "b", "c", "d", "e", "f", "g", "h"])
        for index in [3, 1, 5, 0, 6, 2] { stage.start(tasks[index]) }
        #expect(names() == ["d", "b", "f", "a", "g", "c", "e", "h"])
        tasks[1].suspend()
        tasks[3].complete()
        tasks[0].fail()
        tasks[6].complete()
        #expect(names() == ["f", "c", "e", "h", "b", "a", "g", "d"])
        checkSums()
        tasks[1].core.enter(.queued)
        #expect(names() == ["f", "c", "e", "h", "b", "a", "g", "d"])
        #expect(board.row(tasks[1].life.id)?.group == .queued)
        tasks[1].resume()
        #expect(names() == ["f", "c", "b", "e", "h", "a", "g", "d"])
        checkSums()
        #expect(names(2, 3) == ["b", "e", "h"])
        #expect(names(7, 5) == ["d"])
        #expect(names(8, 5) == [])
        #expect(board.view(from: 0, count: 0).count == 8)
    }

    @Test("Retrying rows stay in their place; a task cancelled while it waits is done")
    func placement() {
        let one = stage.start("one")
        let two = stage.start("two")
        one.core.retry(after: 4, error: TransferError(.reset, "connection reset"))
        #expect(names() == ["one", "two"])
        clock.advance(1)
        let row = board.row(one.life.id)
        #expect(row?.phase == .backoff)
        #expect(row?.delay == 3)
        #expect(row?.error?.code == .reset)
        #expect(board.totals.retries == 1)
        let waiting = stage.add("waiting")
        waiting.cancel()
        #expect(board.totals.queued == 1)
        waiting.core.end(.cancelled(reason: "user"))
        #expect(board.totals.queued == 0)
        #expect(board.totals.cancelled == 1)
        two.cancel()
        #expect(board.row(two.life.id)?.state == .canceling)
        #expect(board.totals.active == 2)
        checkSums()
    }

    @Test("Attempts of one task never add to the totals")
    func attempts() {
        let task = stage.start()
        task.core.report(received: 600, total: 1000)
        for attempt in 2...4 {
            task.core.retry(after: 1, error: TransferError(.truncated, "short"))
            task.core.beginAttempt(offset: 0)
            task.core.restart(reason: "no_validator")
            task.core.report(received: 600, total: 1000)
            let totals = board.totals
            #expect(totals.created == 1)
            #expect(totals.received == 600)
            #expect(totals.expected == 1000)
            #expect(totals.unsized == 0)
            #expect(totals.bytes == Int64(attempt) * 600)
            #expect(totals.retries == attempt - 1)
        }
        task.core.report(received: 1000, total: 1000)
        task.complete()
        #expect(board.totals.received == 1000)
        #expect(board.totals.expected == 1000)
        #expect(board.totals.completed == 1)
        checkSums()
    }

    @Test("Continued bytes count for the percentage, not for the speed nor for the bytes moved")
    func continued() {
        let task = stage.start(offset: 900)
        task.core.report(received: 900, total: 1000)
        clock.advance(2)
        task.core.report(received: 950, total: 1000)
        let row = board.row(task.life.id)
        #expect(row?.progress.fraction == 0.95)
        #expect(row?.speed == 25)
        #expect(board.totals.bytes == 50)
        #expect(board.totals.received == 950)
    }

    @Test("Start, stop and progress come through the binding")
    func binding() {
        let silent = Stage(
            clock: clock,
            receive: { [board] record in
                if case .task(_, let update) = record.event, update.event == .progress { return }
                board.receive(record)
            }, follow: { [board] in board.follow($0) })
        let task = silent.start()
        #expect(board.row(task.life.id)?.isAnimating == true)
        task.core.report(received: 10, total: 20)
        #expect(board.row(task.life.id)?.progress.received == 10)
        #expect(task.core.observationCount == 2)
        task.suspend()
        #expect(board.row(task.life.id)?.isAnimating == false)
        task.resume()
        task.complete()
        let row = board.row(task.life.id)
        #expect(row?.isAnimating == false)
        #expect(row?.progress.isComplete == true)
        #expect(row?.progress.fraction == 1)
        #expect(task.core.observationCount == 0)
    }

    @Test("A task is observed from the first look on, until the board goes away; one that has ended, never")
    func release() {
        let task = StageTask()
        do {
            let board = Board()
            board.receive(
                RunRecord(
                    elapsed: 0, time: 0,
                    event: .created(task.life.id, TaskDescription(url: "", destination: "", key: ""))))
            board.follow(task)
            #expect(task.core.observationCount == 0)
            _ = board.row(task.life.id)
            #expect(task.core.observationCount == 1)
        }
        #expect(task.core.observationCount == 0)
        let other = stage.start()
        other.complete()
        board.follow(other)
        #expect(other.core.observationCount == 0)
        task.complete()
        board.follow(task)
        #expect(board.row(task.life.id) == nil)
    }

    @Test("Speed and the time that remains go away in a stall, and the estimate does not climb through it")
    func stall() throws {
        let task = stage.start()
        task.core.report(received: 0, total: 10_000)
        #expect(board.row(task.life.id)?.remaining == nil)
        for step in 1...20 {
            clock.advance(0.25)
            task.core.report(received: Int64(step) * 250, total: 10_000)
        }
        #expect(abs((board.row(task.life.id)?.speed ?? 0) - 1000) < 60)
        var last = try #require(board.row(task.life.id)?.remaining)
        #expect(abs(last - 5) < 0.5)
        #expect(abs(try #require(board.totals.remaining) - 5) < 0.5)
        for _ in 0..<19 {
            clock.advance(0.25)
            let remaining = board.row(task.life.id)?.remaining
            #expect(remaining != nil)
            last = remaining ?? last
        }
        clock.advance(0.25)
        #expect(board.row(task.life.id)?.speed == 0)
        #expect(board.row(task.life.id)?.remaining == nil)
        #expect(board.totals.speed == 0)
        #expect(board.totals.remaining == nil)
        // It goes on ten times slower: what was before the stall says nothing of it.
        for step in 1...8 {
            clock.advance(0.25)
            task.core.report(received: 5000 + Int64(step) * 25, total: 10_000)
        }
        #expect(abs(try #require(board.row(task.life.id)?.remaining) - 48) < 12)
        task.suspend()
        #expect(board.totals.remaining == nil)
    }

    @Test("The time that remains changes at most twice a second")
    func calm() {
        let task = stage.start()
        var seen: [Double?] = []
        for step in 1...400 {
            clock.advance(0.025)
            task.core.report(received: Int64(step * step), total: 1_000_000)
            let remaining = board.row(task.life.id)?.remaining
            if seen.last != remaining { seen.append(remaining) }
        }
        #expect(seen.count <= 21)
        #expect(seen.count > 10)
    }

    @Test("A total that was exceeded is dropped; an unknown total makes the sum a lower bound")
    func totals() {
        let task = stage.start()
        task.core.report(received: 10, total: 20)
        #expect(board.totals.unsized == 0)
        task.core.report(received: 30, total: 20)
        #expect(board.row(task.life.id)?.progress.total == nil)
        #expect(board.row(task.life.id)?.progress.fraction == nil)
        #expect(board.totals.unsized == 1)
        #expect(board.totals.expected == 0)
        task.fail()
        #expect(board.totals.unsized == 0)
        #expect(board.totals.expected == 30)
    }

    @Test("A clock that goes back ends nothing, and gives no number below 0")
    func negativeClock() {
        let time = Atomic<UInt64>(10_000_000_000)
        let board = Board(clock: { time.load(ordering: .relaxed) })
        let stage = Stage(board, clock: StageClock())
        stage.begin()
        let task = stage.start()
        task.core.report(received: 100, total: 1000)
        for now in [9_000_000_000, 0, 20_000_000_000, 1] as [UInt64] {
            time.store(now, ordering: .relaxed)
            task.core.report(received: task.core.snapshot.progress.received + 100, total: 1000)
            let totals = board.view(from: 0, count: 9).totals
            #expect(totals.speed >= 0 && totals.elapsed >= 0 && totals.remaining ?? 0 >= 0)
        }
    }

    @Test("The generation changes only if something shown has changed")
    func generation() {
        let task = stage.start()
        task.core.report(received: 10, total: 20)
        let generation = board.view(from: 0, count: 9).generation
        clock.advance(3)
        task.resume()
        task.core.report(received: 10, total: 20)
        task.core.report(received: 5, total: 20)
        _ = board.view(from: 0, count: 9)
        board.receive(RunRecord(elapsed: 0, time: 0, event: .task(TaskID(number: .max), update(of: StageTask()))))
        #expect(board.view(from: 0, count: 9).generation == generation)
        task.core.enter(.verifying)
        #expect(board.generation != generation)
    }

    @Test("The newest done rows and all failed rows are kept")
    func kept() {
        let clock = clock
        let board = Board(kept: 3, clock: { clock.now })
        let stage = Stage(board, clock: clock)
        let tasks = (0..<20).map { stage.start("t\($0)") }
        for (index, task) in tasks.enumerated() {
            if index % 2 == 0 { task.fail() } else { task.complete() }
        }
        #expect(board.view(from: 10, count: 9).rows.map(\.name) == ["t19", "t17", "t15"])
        #expect(board.failures.map(\.name) == (0..<10).map { "t\($0 * 2)" })
        #expect(board.totals.completed == 10)
        #expect(board.row(tasks[1].life.id) == nil)
    }

    @Test("A task that was refused before it had a destination goes by its URL")
    func refused() {
        let description = TaskDescription(url: "http://h/x", destination: "", key: "k")
        board.receive(RunRecord(elapsed: 0, time: 0, event: .created(TaskID(number: 1 << 40), description)))
        #expect(names() == ["http://h/x"])
    }

    @Test("Names, hosts and URLs are clean")
    func cleaned() {
        let task = stage.add("evil\u{1B}[2J.bin", url: "https://me@h\u{9B}st:81/\u{202E}x")
        let row = board.row(task.life.id)
        #expect(row?.name == "evil^[[2J.bin")
        #expect(row?.host == "h\\u{9B}st:81")
        #expect(row?.url == "https://me@h\\u{9B}st:81/\\u{202E}x")
    }

    @Test("The totals add up under any order of events, and the end's own numbers have the last word")
    func storm() {
        var random = SystemRandomNumberGenerator()
        let tasks = (0..<50).map { stage.add("t\($0)") }
        for task in tasks { board.follow(task) }
        for step in 0..<5000 {
            let task = tasks.randomElement(using: &random) ?? tasks[0]
            clock.advance(0.01)
            switch Int.random(in: 0..<12, using: &random) {
            case 0...1: task.resume()
            case 2: task.suspend()
            case 3: task.core.beginAttempt(offset: task.core.snapshot.progress.received)
            case 4: task.core.retry(after: 1, error: TransferError(.reset, "x"))
            case 5: task.core.restart(reason: "changed")
            case 6 where step > 2500: task.cancel()
            case 7 where step > 2500: task.complete()
            case 8 where step > 2500: task.fail()
            case 9: task.core.enter(TaskPhase.allCases.randomElement(using: &random) ?? .paused)
            default:
                task.core.report(received: task.core.snapshot.progress.received + 10, total: step % 3 == 0 ? nil : 9000)
            }
            if step % 100 == 0 { checkSums() }
        }
        checkSums()
        var received: Int64 = 0
        for task in tasks { received += task.core.snapshot.progress.received }
        #expect(board.totals.received == received)
        var summary = RunSummary()
        summary.bytes = 7
        stage.end(summary)
        clock.advance(100)
        #expect(board.totals.bytes == 7)
        #expect(abs(board.totals.elapsed - 50) < 0.001)
    }

    @Test("100,000 tasks are cheap: the last event costs what the first did")
    func many() {
        let tasks = (0..<100_000).map { stage.add("t\($0)") }
        let started = threadSeconds()
        for task in tasks.prefix(1000) { task.core.resume() }
        for _ in 0..<1000 { _ = board.view(from: 500, count: 50) }
        for task in tasks.reversed() { task.core.end(.skipped(reason: "exists")) }
        // A few hundred milliseconds; a minute if it were quadratic.
        #expect(threadSeconds() - started < 20)
        #expect(board.totals.skipped == 100_000)
        #expect(board.view(from: 0, count: 10).count == 1000)
        checkSums()
    }

    /// The first delivery of an observer.
    private func update(of task: StageTask) -> TaskUpdate {
        final class Box: Sendable {
            let value = Mutex<TaskUpdate?>(nil)
        }
        let box = Box()
        let observation = task.life.observe { update in box.value.withLock { $0 = update } }
        withExtendedLifetime(observation) {}
        guard let update = box.value.withLock({ $0 }) else { preconditionFailure("observe delivers at once") }
        return update
    }
}
