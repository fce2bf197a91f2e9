import Synchronization
import Testing
import WhirlCore
import WhirlInMemory
import WhirlLoopback
import WhirlSession

@Suite("Limits", .timeLimit(.minutes(1))) struct LimitTests {
    @Test("never more exchanges than jobs, nor more than that of one host", arguments: [nil, 2] as [Int?])
    func jobs(_ perHost: Int?) async throws {
        let scene = try Scene(
            .thread,
            configure: {
                $0.jobs = 5
                $0.jobsPerHost = perHost
            },
            { request, number in
                number % 3 == 0 && !request.path.hasSuffix("x")
                    ? .redirect("\(request.url)x") : .file([UInt8](repeating: 1, count: number))
            })
        let tasks = try (0..<300).map { try scene.add("/\($0)", host: "h\($0 % 7 == 0 ? 1 : $0 % 4).test") }
        _ = await scene.session.finish()
        let record = scene.transport.record
        let errors = tasks.compactMap(\.life.snapshot.outcome?.error?.description)
        #expect(errors.isEmpty && record.peak <= 5, "\(errors)")
        #expect(record.peaks.values.allSatisfy { $0 <= perHost ?? 5 })
    }

    @Test("ten thousand tasks that wait, and end inside their start, make no recursion")
    func waitingInsideStart() async throws {
        let latch = Latch()
        let scene = try Scene(.inline, configure: { $0.jobs = 1 }) { _, number in
            number == 0 ? [.wait(latch)] + .status(404) : .status(404)
        }
        for number in 0..<10_000 { try scene.add("/\(number)") }
        latch.open()
        #expect(await scene.session.finish().summary.failed == 10_000)
    }

    @Test("a backlog over 64 MiB stops new tasks, and they start when it falls")
    func backlog() async throws {
        let scene = try Scene { _, _ in .file([1]) }
        scene.recorder.backlog = (64 << 20) + 1
        let task = try scene.add()
        scene.pass(5)
        #expect(scene.transport.record.requests.isEmpty && task.life.snapshot.state == .suspended)
        scene.recorder.backlog = 64 << 20
        scene.pass(0.1)
        #expect(await scene.session.finish().summary.completed == 1)
    }

    @Test(
        "there is room while fewer tasks than max(1000, 4 x jobs) are unfinished, and again when a quarter is free",
        arguments: [(1, 1000), (300, 1200)])
    func room(_ jobs: Int, _ limit: Int) async throws {
        let scene = try Scene(configure: { $0.jobs = jobs }) { _, _ in [.wait(Latch())] }
        let tasks = try (0..<limit - 1).map { try scene.add("/\($0)") }
        await scene.session.room()
        let more = try (limit..<limit + 11).map { try scene.add("/\($0)") }
        let passed = Atomic<Bool>(false)
        let (told, teller) = AsyncStream.makeStream(of: Void.self)
        async let waiting: Void = {
            teller.yield()
            await scene.session.room()
            passed.store(true, ordering: .sequentiallyConsistent)
        }()
        for await _ in told { break }
        let all = tasks + more
        let most = limit / 4 * 3
        for task in all.dropLast(most) { task.cancel() }
        // One more has to end.
        for _ in 0..<100 { await Task.yield() }
        let hasPassed = passed.load(ordering: .sequentiallyConsistent)
        #expect(!hasPassed)
        all.last?.cancel()
        await waiting
        scene.session.perform(.quit(reason: "user"))
        scene.transport.run()
        #expect(await scene.session.finish().summary.cancelled == limit + 10)
    }

    @Test("a quit waits no longer than 2 s for a transport that is stuck")
    func stuck() async throws {
        let latch = Latch()
        let scene = try Scene { _, _ in [.whole(10), .body([1]), .hang(latch)] }
        try scene.add()
        scene.transport.run()
        let isOver = Atomic<Bool>(false)
        scene.session.perform(.quit(reason: "signal"))
        async let end = {
            let end = await scene.session.finish()
            isOver.store(true, ordering: .sequentiallyConsistent)
            return end.summary
        }()
        scene.pass(1.9)
        for _ in 0..<100 { await Task.yield() }
        let wasOver = isOver.load(ordering: .sequentiallyConsistent)
        #expect(!wasOver)
        scene.pass(0.2)
        let summary = await end
        #expect(summary.cancelled == 1 && summary.exit == 5 && scene.recorder.closes == 1)
        latch.open()
        scene.transport.run()
        #expect(scene.folder.read("a.part") == [1])
    }
}
