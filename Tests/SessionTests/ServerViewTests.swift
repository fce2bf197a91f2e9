import Glibc
import Testing
import WhirlCore
import WhirlInMemory
import WhirlLoopback

@testable import WhirlSession

/// The server's own record is the judge.
@Suite("As the server sees it", .timeLimit(.minutes(1))) struct ServerViewTests {
    @Test("twenty pauses at random places of a slow 64 MB body give the exact bytes", arguments: Backend.allCases)
    func pauses(_ backend: Backend) async throws {
        let size: Int64 = 64_000_000
        let server = try LoopbackServer(.file(size: size, pace: .rate(64_000_000)))
        defer { server.stop() }
        let folder = try Folder()
        let session = try Session(transport: backend.make(), configuration: SessionConfiguration(in: folder))
        let task = try session.add(TransferRequest(server.url("/a")))
        for point in (0..<20).map({ _ in Int64.random(in: 1..<size) }).sorted() {
            await task.until { $0.progress.received >= point || $0.outcome != nil }
            task.suspend()
            task.resume()
        }
        #expect(await task.outcome()?.isCompleted == true)
        let summary = await session.finish().summary
        #expect(folder.read("a").map { Int64($0.count) == size && BodyPattern(1).matches($0) } == true)
        #expect(summary.wasted == 0 && summary.bytes == size, "no byte was taken twice")
    }

    @Test("slow files run beside each other, from the first moment", arguments: Backend.allCases)
    func parallel(_ backend: Backend) async throws {
        let gate = Gate()
        let server = try LoopbackServer(.file(size: 1000, pace: .gate(gate, at: 500)))
        defer { server.stop() }
        let session = try Session(transport: backend.make(), configuration: SessionConfiguration(in: try Folder()))
        for number in 0..<3 { try session.add(TransferRequest(server.url("/\(number)"))) }
        await server.until { $0.answering == 3 }
        gate.open()
        #expect(await session.finish().summary.completed == 3)
    }

    @Test("never more at once than jobs, nor than jobs of one host", arguments: Backend.allCases)
    func jobs(_ backend: Backend) async throws {
        let server = try LoopbackServer(.file(size: 50_000, pace: .rate(5_000_000)))
        defer { server.stop() }
        for (jobs, perHost, most) in [(3, nil, 3), (8, 2, 2)] as [(Int, Int?, Int)] {
            let folder = try Folder()
            var configuration = SessionConfiguration(in: folder)
            (configuration.jobs, configuration.jobsPerHost) = (jobs, perHost)
            let session = try Session(transport: backend.make(), configuration: configuration)
            for number in 0..<30 { try session.add(TransferRequest(server.url("/\(jobs)-\(number)"))) }
            #expect(await session.finish().summary.completed == 30)
            if perHost == nil { #expect(server.record.peakAnswering <= most) }
            let requests = server.record.requests.suffix(30)
            #expect(Set(requests.map(\.connection)).count <= most, "one connection for each")
        }
    }

    @Test("requests start no faster than the limit, tiny files and redirects too", arguments: Backend.allCases)
    func startRate(_ backend: Backend) async throws {
        let server = try LoopbackServer { request in
            request.path.hasSuffix("x") ? .text("tiny") : .redirect(to: "\(request.path)x")
        }
        defer { server.stop() }
        var configuration = SessionConfiguration(in: try Folder())
        configuration.startRate = 40
        let session = try Session(transport: backend.make(), configuration: configuration)
        for number in 0..<20 { try session.add(TransferRequest(server.url("/\(number)"))) }
        #expect(await session.finish().summary.completed == 20)
        let arrivals = server.record.requests.map(\.arrival)
        let span = try #require(arrivals.last) - arrivals[0]
        // 40 requests, so 39 gaps of 25 ms; the first may have come late, the rest not early.
        #expect(arrivals.count == 40 && span >= .milliseconds(39 * 25 - 100))
    }

    @Test("the rate of the run holds at the server, over all its connections")
    func limitRate() async throws {
        guard let backend = Backend.allCases.first(where: { $0.make().capabilities.contains(.backpressure) }) else {
            return print("skipped: no transport here can hold a server back")
        }
        let server = try LoopbackServer(.bytes(2_000_000))
        defer { server.stop() }
        var configuration = SessionConfiguration(in: try Folder())
        configuration.limitRate = 4_000_000
        let clock = SystemClock()
        let began = clock.now
        let session = try Session(transport: backend.make(), configuration: configuration, clock: clock)
        for number in 0..<4 { try session.add(TransferRequest(server.url("/\(number)"))) }
        #expect(await session.finish().summary.completed == 4)
        // 8 MB at 4 MB/s; a busy machine may be slower, but never faster by more than a tenth.
        #expect(Double(clock.now - began) / 1e9 >= 1.8)
    }

    @Test("a redirect keeps what is in hand, and the rest is asked for where it leads", arguments: Backend.allCases)
    func redirected(_ backend: Backend) async throws {
        let size: Int64 = 3_000_000
        let server = try LoopbackServer([
            "/a": .redirect(to: "/b"),
            "/b": Route.files { request in
                ServedFile(size: size, pace: request["Range"] == nil ? .gate(Gate(), at: size / 2) : .full)
            },
        ])
        defer { server.stop() }
        let folder = try Folder()
        let begun = try Session(transport: backend.make(), configuration: SessionConfiguration(in: folder))
        let first = try begun.add(TransferRequest(server.url("/a")))
        await first.until { $0.progress.received == size / 2 }
        begun.perform(.quit(reason: "signal"))
        _ = await begun.finish()
        let session = try Session(transport: backend.make(), configuration: SessionConfiguration(in: folder))
        try session.add(TransferRequest(server.url("/a")))
        #expect(await session.finish().summary.completed == 1)
        #expect(folder.read("a").map { BodyPattern(1).matches($0) } == true)
        #expect(server.record.requests(for: "/b").last?.bodySent == size / 2)
    }

    @Test("a stream that dies on its last byte is given up, and goes on where it was", arguments: Backend.allCases)
    func lastByte(_ backend: Backend) async throws {
        let size: Int64 = 2_000_000
        let server = try LoopbackServer(
            Route { request in
                let file = ServedFile(size: size, pace: request.number == 0 ? .gate(Gate(), at: size - 1) : .full)
                return Route.file(file).steps(request)
            })
        defer { server.stop() }
        let folder = try Folder()
        var configuration = SessionConfiguration(in: folder)
        configuration.retries = 1
        configuration.idleTimeout = 2  // more than a busy machine makes any byte wait
        let session = try Session(transport: backend.make(), configuration: configuration, random: { 0 })
        let task = try session.add(TransferRequest(server.url("/a")))
        #expect(await session.finish().summary.completed == 1)
        #expect(task.life.snapshot.attempt == 2 && server.record.requests.last?.bodySent == 1)
    }

    @Test("a full file system fails its own files with their bytes kept, and others go on", arguments: Backend.allCases)
    func full(_ backend: Backend) async throws {
        let small = try Folder()
        guard unsafe mount("tmpfs", small.path, "tmpfs", 0, "size=256k") == 0 else {
            return print("skipped: this process may not mount a small file system")
        }
        defer { _ = unsafe umount2(small.path, Int32(MNT_DETACH)) }
        let server = try LoopbackServer(.bytes(900_000, framing: .chunked))
        defer { server.stop() }
        let folder = try Folder()
        let session = try Session(transport: backend.make(), configuration: SessionConfiguration(in: folder))
        let failing = try session.add(TransferRequest(server.url("/a"), to: .path("\(small.path)/a")))
        let fine = try session.add(TransferRequest(server.url("/b")))
        let summary = await session.finish().summary
        #expect(failing.life.snapshot.outcome?.error?.code == .diskFull && summary.exit == 3)
        #expect(fine.life.snapshot.outcome?.isCompleted == true)
        #expect(small.names.contains("a.part") && !small.names.contains("a"))
    }
}
