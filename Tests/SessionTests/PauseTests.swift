import Testing
import WhirlCore
import WhirlLoopback
import WhirlSession

/// What a server has in place of the file that a transfer was begun with, and what that is called.
struct Change: Sendable {
    let reason: String
    let later: ServedFile
}

@Suite("Pause and resume", .timeLimit(.minutes(1))) struct PauseTests {
    private static let size: Int64 = 3_000_000

    /// Serves half of the file, then waits for the gate; later requests are served at once.
    private func half(_ file: ServedFile, _ gate: Gate) -> Route {
        Route.files { request in
            var file = file
            if request["Range"] == nil { file.pace = .gate(gate, at: Self.size / 2) }
            return file
        }
    }

    @Test("a paused task falls silent, frees its slot, and goes on to the exact bytes", arguments: Backend.allCases)
    func pauses(_ backend: Backend) async throws {
        let gate = Gate()
        let server = try LoopbackServer(["/a": half(ServedFile(size: Self.size), gate), "/b": .text("b")])
        defer { server.stop() }
        let folder = try Folder()
        var configuration = SessionConfiguration(in: folder)
        configuration.jobs = 1
        let session = try Session(transport: backend.make(), configuration: configuration)
        let task = try session.add(TransferRequest(server.url("/a")))
        await task.until { $0.progress.received == Self.size / 2 }
        task.suspend()
        #expect(task.life.snapshot.state == .suspended && task.life.snapshot.phase == .paused)
        let other = try session.add(TransferRequest(server.url("/b")))
        #expect(await other.outcome()?.isCompleted == true, "the slot is free")
        gate.open()
        task.resume()
        let (summary, _) = await session.finish()
        #expect(summary.completed == 2 && summary.wasted == 0 && summary.bytes == Self.size + 1)
        let bytes = try #require(folder.read("a"))
        #expect(Int64(bytes.count) == Self.size && BodyPattern(1).matches(bytes) && folder.names == ["a", "b"])
    }

    @Test("what is asked for on resuming is the rest, if the file is the same", arguments: Backend.allCases)
    func asksForTheRest(_ backend: Backend) async throws {
        let server = try LoopbackServer(half(ServedFile(size: Self.size), Gate()))
        defer { server.stop() }
        let folder = try Folder()
        let session = try Session(
            transport: WithoutPause(backend.make()), configuration: SessionConfiguration(in: folder))
        let task = try session.add(TransferRequest(server.url("/a")))
        await task.until { $0.progress.received == Self.size / 2 }
        task.suspend()
        task.resume()
        _ = await session.finish()
        let second = try #require(server.record.requests.last)
        #expect(second["Range"] == "bytes=\(Self.size / 2)-" && second["If-Range"] == "\"1-\(Self.size)\"")
        let bytes = try #require(folder.read("a"))
        #expect(Int64(bytes.count) == Self.size && BodyPattern(1).matches(bytes))
        #expect(task.life.snapshot.attempt == 2 && task.life.snapshot.offset == Self.size / 2)
    }

    @Test(
        "a file that changed in a pause is fetched anew, never mixed", arguments: Backend.allCases,
        [
            Change(reason: "changed", later: ServedFile(size: 2_000_000, seed: 2)),
            Change(reason: "ranges_ignored", later: ServedFile(size: size, acceptsRanges: false)),
            Change(reason: "changed", later: ServedFile(size: 1_000_000, seed: 3, etag: nil)),
        ])
    func changed(_ backend: Backend, _ change: Change) async throws {
        let later = change.later
        let gate = Gate()
        let server = try LoopbackServer(
            .files { request in
                guard request.number == 0 else { return later }
                return ServedFile(size: Self.size, pace: .gate(gate, at: Self.size / 2))
            })
        defer { server.stop() }
        let folder = try Folder()
        let session = try Session(
            transport: WithoutPause(backend.make()), configuration: SessionConfiguration(in: folder))
        let task = try session.add(TransferRequest(server.url("/a")))
        await task.until { $0.progress.received == Self.size / 2 }
        let log = EventLog(task)
        task.suspend()
        task.resume()
        let (summary, _) = await session.finish()
        let bytes = try #require(folder.read("a"))
        #expect(Int64(bytes.count) == later.size && BodyPattern(later.seed).matches(bytes))
        #expect(summary.wasted == Self.size / 2)
        #expect(log.events.contains(.restarted(reason: change.reason)))
    }

    @Test("without a strong validator a transfer starts over and says so", arguments: Backend.allCases)
    func noValidator(_ backend: Backend) async throws {
        let gate = Gate()
        let server = try LoopbackServer(
            .files { request in
                let pace: Pace = request.number == 0 ? .gate(gate, at: Self.size / 2) : .full
                return ServedFile(size: Self.size, etag: "W/\"weak\"", pace: pace)
            })
        defer { server.stop() }
        let folder = try Folder()
        let session = try Session(
            transport: WithoutPause(backend.make()), configuration: SessionConfiguration(in: folder))
        let task = try session.add(TransferRequest(server.url("/a")))
        await task.until { $0.progress.received == Self.size / 2 }
        let log = EventLog(task)
        task.suspend()
        task.resume()
        _ = await session.finish()
        #expect(server.record.requests.allSatisfy { $0["Range"] == nil })
        #expect(log.events.contains(.restarted(reason: "no_validator")))
        let bytes = try #require(folder.read("a"))
        #expect(Int64(bytes.count) == Self.size && BodyPattern(1).matches(bytes))
    }

    @Test("20 pauses at random places end in the exact bytes", arguments: Backend.allCases)
    func many(_ backend: Backend) async throws {
        let size: Int64 = 20_000_000
        let server = try LoopbackServer(.file(size: size, pace: .rate(30_000_000)))
        defer { server.stop() }
        let folder = try Folder()
        let session = try Session(transport: backend.make(), configuration: SessionConfiguration(in: folder))
        let task = try session.add(TransferRequest(server.url("/a")))
        for pause in 1...20 {
            let goal = size / 25 * Int64(pause)
            await task.until { $0.progress.received >= goal || $0.outcome != nil }
            task.suspend()
            task.resume()
        }
        let (summary, _) = await session.finish()
        #expect(summary.completed == 1 && summary.wasted == 0)
        let bytes = try #require(folder.read("a"))
        #expect(Int64(bytes.count) == size && BodyPattern(1).matches(bytes))
    }

    @Test(
        "a cancelled task ends at once, its bytes stay in .part, and no file has the name", arguments: Backend.allCases)
    func cancels(_ backend: Backend) async throws {
        let server = try LoopbackServer(half(ServedFile(size: Self.size), Gate()))
        defer { server.stop() }
        let folder = try Folder()
        let session = try Session(transport: backend.make(), configuration: SessionConfiguration(in: folder))
        let task = try session.add(TransferRequest(server.url("/a")))
        await task.until { $0.progress.received == Self.size / 2 }
        task.cancel()
        #expect(task.life.snapshot.outcome == .cancelled(reason: "user"))
        let (summary, _) = await session.finish()
        #expect(summary.cancelled == 1 && summary.exit == 5)
        #expect(folder.names == ["a.part", "a.part.state"])
        #expect(folder.read("a.part")?.count == Int(Self.size / 2))
    }

    @Test("quit cancels what runs, what waits and what is paused", arguments: Backend.allCases)
    func quits(_ backend: Backend) async throws {
        let server = try LoopbackServer(.silent)
        defer { server.stop() }
        var configuration = SessionConfiguration(in: try Folder())
        configuration.jobs = 2
        let session = try Session(transport: backend.make(), configuration: configuration)
        let tasks = try (0..<5).map { try session.add(TransferRequest(server.url("/\($0)"))) }
        tasks[1].suspend()
        _ = await server.until { $0.answering >= 1 }
        session.perform(.quit(reason: "signal"))
        let late = try session.add(TransferRequest(server.url("/late")))
        let (summary, _) = await session.finish()
        #expect(summary.cancelled == 6)
        for task in tasks + [late] { #expect(task.life.snapshot.outcome == .cancelled(reason: "signal")) }
    }
}

/// A transport that can't hold a body back, whatever it stands on.
struct WithoutPause: Transport {
    private let base: any Transport

    init(_ base: any Transport) { self.base = base }

    var capabilities: Capabilities { base.capabilities.subtracting(.pause) }

    func start(_ request: ExchangeRequest, _ handler: any ExchangeHandler) -> any Exchange {
        base.start(request, handler)
    }
}
