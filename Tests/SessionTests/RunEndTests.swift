import Glibc
import Testing
import WhirlCore
import WhirlInMemory
import WhirlLoopback

@testable import WhirlSession

@Suite("How a run ends early, and is changed under way", .timeLimit(.minutes(1))) struct RunEndTests {
    @Test("with fail-fast the first failure cancels what runs, and nothing more starts")
    func failFast() async throws {
        let scene = try Scene(
            configure: {
                $0.failsFast = true
                $0.jobs = 2
            },
            { _, number in number == 1 ? .status(404) : [.whole(10), .body([1]), .wait(Latch())] })
        let tasks = try (0..<4).map { try scene.add("/\($0)") }
        scene.transport.run()
        let outcomes = tasks.map(\.life.snapshot.outcome)
        #expect(outcomes[1]?.error?.status == 404)
        for number in [0, 2, 3] { #expect(outcomes[number] == .cancelled(reason: "fail_fast")) }
        scene.transport.run()
        #expect(scene.transport.record.requests.count == 2)
        #expect(try scene.add("/late").life.snapshot.outcome == .cancelled(reason: "fail_fast"))
        await scene.session.closing()
        let summary = await scene.session.finish().summary
        #expect(summary.exit == 1 && summary.failed == 1 && summary.cancelled == 4)
    }

    @Test("when the deadline passes all that is unfinished fails, its bytes stay")
    func deadline() async throws {
        let scene = try Scene(configure: { $0.deadline = 2.5 }) { _, _ in [.whole(10), .body([1, 2]), .wait(Latch())] }
        let task = try scene.add()
        let paused = try scene.add("/b")
        scene.transport.run()
        paused.suspend()
        scene.pass(2.4)
        #expect(task.life.snapshot.outcome == nil)
        scene.pass(0.2)
        #expect(task.life.snapshot.outcome?.error?.code == .timeout)
        #expect(paused.life.snapshot.outcome?.error?.code == .timeout)
        #expect(await scene.session.finish().summary.exit == 1)
        #expect(scene.folder.read("a.part") == [1, 2])
    }

    @Test("a drain lets what runs end, retries too, and cancels the rest")
    func drain() async throws {
        let latch = Latch()
        let scene = try Scene(
            configure: {
                $0.jobs = 2
                $0.retries = 3
            },
            { _, number in
                let slow: [Step] = [.whole(2), .body([1]), .wait(latch), .body([2])]
                return number == 1 ? .failure(TransferError(.reset, "cut")) : slow
            })
        let tasks = try (0..<4).map { try scene.add("/\($0)") }
        scene.transport.run()
        // The second waits for its retry; the third has its slot.
        tasks[3].suspend()
        scene.session.perform(.drain)
        #expect(tasks[3].life.snapshot.outcome == .cancelled(reason: "drain"))
        latch.open()
        scene.pass(5)
        for number in 0..<3 { #expect(tasks[number].life.snapshot.outcome?.isCompleted == true, "\(number)") }
        #expect(try scene.add("/late").life.snapshot.outcome == .cancelled(reason: "drain"))
        let summary = await scene.session.finish().summary
        #expect(summary.completed == 3 && summary.cancelled == 2 && summary.exit == 5)
    }

    @Test("a failure that is tried again counts no longer")
    func retry() async throws {
        let scene = try Scene { _, number in number == 0 ? .status(404) : .file([1]) }
        let task = try scene.add()
        scene.transport.run()
        #expect(task.life.snapshot.outcome?.error?.status == 404)
        scene.session.perform(.retry(task.life.id))
        scene.session.perform(.retry(task.life.id))
        scene.transport.run()
        let summary = await scene.session.finish().summary
        #expect(summary.completed == 1 && summary.failed == 0 && summary.exit == 0)
        #expect(scene.folder.names == ["a"] && scene.transport.record.requests.count == 2)
    }

    @Test("more jobs start at once what waits; fewer let what runs end")
    func jobs() throws {
        let scene = try Scene(configure: { $0.jobs = 1 }) { _, _ in [.whole(2), .wait(Latch())] }
        for number in 0..<10 { try scene.add("/\(number)") }
        scene.session.perform(.setJobs(4))
        scene.transport.run()
        #expect(scene.transport.record.running == 4)
        scene.session.perform(.setJobs(2))
        scene.transport.run()
        #expect(scene.transport.record.running == 4)
    }

    @Test("exit codes follow the worst failure, whatever the order", arguments: [[404, 200], [200, 404]])
    func order(_ statuses: [Int]) async throws {
        let scene = try Scene { _, number in statuses[number] == 200 ? .file([1]) : .status(404) }
        for number in 0..<2 { try scene.add("/\(number)") }
        scene.transport.run()
        #expect(await scene.session.finish().summary.exit == 1)
    }
}

@Suite("Finishing files", .timeLimit(.minutes(1))) struct FinishTests {
    @Test("with every durability all files are whole and in place", arguments: SessionConfiguration.Durability.allCases)
    func durability(_ durability: SessionConfiguration.Durability) async throws {
        let scene = try Scene(.thread, configure: { $0.durability = durability }) { _, number in
            .file([UInt8](repeating: UInt8(number % 251), count: 1000))
        }
        for number in 0..<300 { try scene.add("/\(number)") }
        let summary = await scene.session.finish().summary
        #expect(summary.completed == 300 && summary.exit == 0 && scene.folder.names.count == 300)
    }

    @Test("a slot is free while its file is being finished")
    func slot() async throws {
        let scene = try Scene(
            .thread,
            configure: {
                $0.durability = .full
                $0.jobs = 1
            },
            { _, _ in .file([1]) })
        for number in 0..<50 { try scene.add("/\(number)") }
        let summary = await scene.session.finish().summary
        #expect(summary.completed == 50 && scene.transport.record.peak == 1)
    }

    @Test("a cancel while a file is being finished leaves .part or the whole file, and says which")
    func cancels() async throws {
        for _ in 0..<50 {
            let scene = try Scene(.thread, configure: { $0.durability = .file }) { _, _ in .file([1, 2, 3]) }
            let task = try scene.add()
            await scene.transport.until { $0.requests.count == 1 && $0.running == 0 }
            task.cancel()
            _ = await scene.session.finish()
            switch task.life.snapshot.outcome {
            case .completed: #expect(scene.folder.names == ["a"])
            case .cancelled: #expect(scene.folder.names == ["a.part"])
            default: Issue.record("\(String(describing: task.life.snapshot.outcome))")
            }
        }
    }

    @Test("a total that can't fit is refused before its first byte, and others go on")
    func space() async throws {
        let scene = try Scene { _, number in
            number == 0 ? [.whole(1 << 60), .body([1]), .wait(Latch())] : .file([1])
        }
        let large = try scene.add("/a")
        let small = try scene.add("/b")
        scene.transport.run()
        #expect(large.life.snapshot.outcome?.error?.code == .diskFull)
        #expect(small.life.snapshot.outcome?.isCompleted == true)
        #expect(await scene.session.finish().summary.exit == 3)
        #expect(scene.folder.names == ["b"])
    }

    @Test("a full device, a folder in the way and a path too long have their codes", arguments: Backend.allCases)
    func places(_ backend: Backend) async throws {
        let server = try LoopbackServer(.bytes(100_000))
        defer { server.stop() }
        let folder = try Folder()
        folder.make("way")
        folder.write("file", "x")
        let session = try Session(transport: backend.make(), configuration: SessionConfiguration(in: folder))
        let paths = ["/dev/full", "way", "file/below", String(repeating: "n", count: 300), "fine"]
        let tasks = try paths.map { try session.add(TransferRequest(server.url("/a"), to: .path($0))) }
        let summary = await session.finish().summary
        let codes = tasks.map(\.life.snapshot.outcome?.error?.code)
        #expect(codes == [.diskFull, .io, .io, .io, nil] && summary.exit == 3 && summary.completed == 1)
        #expect(folder.names == ["file", "fine", "way"])
    }
}
