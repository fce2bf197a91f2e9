import Synchronization
import Testing
import WhirlCore
import WhirlInMemory
import WhirlLoopback

@testable import WhirlSession

@Suite("Retries", .timeLimit(.minutes(1))) struct RetryTests {
    private func scene(
        retries: Int = 5, configure: @escaping (inout SessionConfiguration) -> Void = { _ in },
        _ script: @escaping @Sendable (ExchangeRequest, Int) -> [Step]
    ) throws -> Scene {
        try Scene(
            configure: {
                $0.retries = retries
                configure(&$0)
            }, script)
    }

    private func retries(_ scene: Scene, _ task: any TransferTask) -> [(delay: Double, error: TransferError)] {
        scene.recorder.events(of: task.life.id).compactMap {
            if case .retrying(let delay, let error) = $0 { (delay, error) } else { nil }
        }
    }

    @Test("a retry goes on at the offset, and says its attempt, delay and cause")
    func continues() throws {
        let scene = try scene { _, number in
            number == 0
                ? [.whole(6), .body([1, 2, 3]), .end(.failed(TransferError(.reset, "cut")))]
                : [.rest(from: 3, of: 6), .body([4, 5, 6])]
        }
        let task = try scene.add()
        scene.transport.run()
        #expect(task.life.snapshot.state == .running && task.life.snapshot.phase == .backoff)
        scene.pass(30)
        #expect(task.life.snapshot.outcome?.isCompleted == true && task.life.snapshot.attempt == 2)
        #expect(scene.folder.read("a") == [1, 2, 3, 4, 5, 6])
        let range = scene.transport.record.requests.last?.fields.first { $0.name == "Range" }?.value
        #expect(range == "bytes=3-")
        let told = retries(scene, task)
        #expect(told.count == 1 && told[0].error.message == "cut" && told[0].delay >= 0.5)
        let words = scene.recorder.events(of: task.life.id).map { event in
            switch event {
            case .retrying: "retrying"
            case .attempt: "attempt"
            case .progress: "progress"
            case .resumed: "resumed"
            case .ended: "ended"
            default: "other"
            }
        }
        #expect(words.filter { $0 != "progress" } == ["resumed", "attempt", "retrying", "attempt", "ended"])
        #expect(
            words.firstIndex(of: "retrying").map { words[$0 - 1] } == "progress", "the last exact progress is before it"
        )
    }

    @Test("without a validator a retry starts over, and says so before the number falls")
    func startsOver() async throws {
        let scene = try scene { _, number in
            number == 0
                ? [.whole(6, etag: nil), .body([1, 2, 3]), .end(.failed(TransferError(.reset, "cut")))]
                : .file([4, 5, 6, 7, 8, 9], etag: nil)
        }
        let task = try scene.add()
        let log = EventLog(task)
        scene.transport.run()
        scene.pass(30)
        #expect(log.events.contains(TaskEvent.restarted(reason: "no_validator")))
        #expect(scene.folder.read("a") == [4, 5, 6, 7, 8, 9])
        #expect(await scene.session.finish().summary.wasted == 3)
    }

    @Test("back-off frees the slot, and the state stays running")
    func freesSlot() throws {
        let scene = try scene(configure: { $0.jobs = 1 }) { request, number in
            number == 0 ? .failure(TransferError(.connect, "no")) : .file([1])
        }
        let first = try scene.add("/a")
        let second = try scene.add("/b")
        scene.transport.run()
        #expect(first.life.snapshot.state == .running && second.life.snapshot.outcome?.isCompleted == true)
        scene.pass(5)
        #expect(first.life.snapshot.outcome?.isCompleted == true)
    }

    @Test("a task that is suspended in its back-off is quiet, and goes on at once when it is resumed")
    func suspends() throws {
        let scene = try scene { _, number in number == 0 ? .failure(TransferError(.connect, "no")) : .file([1]) }
        let task = try scene.add()
        scene.transport.run()
        task.suspend()
        #expect(task.life.snapshot.state == .suspended && task.life.snapshot.phase == .paused)
        scene.pass(60)
        #expect(scene.transport.record.requests.count == 1)
        task.resume()
        scene.transport.run()
        #expect(task.life.snapshot.outcome?.isCompleted == true)
    }

    @Test("a task that is cancelled in its back-off ends at once")
    func cancels() async throws {
        let scene = try scene { _, _ in .failure(TransferError(.connect, "no")) }
        let task = try scene.add()
        scene.transport.run()
        task.cancel()
        #expect(task.life.snapshot.outcome == .cancelled(reason: "user"))
        scene.pass(60)
        #expect(await scene.session.finish().summary.cancelled == 1)
        #expect(scene.transport.record.requests.count == 1)
    }

    @Test("a task fails with the last error after so many retries, and no attempt is made beyond them")
    func givesUp() async throws {
        let scene = try scene(retries: 3) { _, number in .failure(TransferError(.connect, "no \(number)")) }
        let task = try scene.add()
        scene.transport.run()
        scene.pass(120)
        #expect(
            task.life.snapshot.outcome?.error?.message
                == "no 3; look whether host and port are right and a server runs there")
        #expect(scene.transport.record.requests.count == 4)
        #expect(await scene.session.finish().summary.exit == 1)
    }

    @Test(
        "of HTTP failures only those that may pass are tried again",
        arguments: [
            (408, 2), (425, 2), (429, 2), (500, 2), (502, 2), (503, 2), (504, 2), (520, 2), (524, 2), (400, 1),
            (401, 1),
            (403, 1), (404, 1), (410, 1), (501, 1), (505, 1),
        ])
    func statuses(_ status: Int, _ requests: Int) throws {
        let scene = try scene { _, number in number == 0 ? .status(status) : .file([1]) }
        let task = try scene.add()
        scene.transport.run()
        scene.pass(30)
        #expect(scene.transport.record.requests.count == requests)
        #expect(task.life.snapshot.outcome?.isCompleted == (requests == 2))
    }

    @Test("a server that breaks off at the same place each time, without ranges, has its tries counted")
    func inVain() throws {
        let bytes = [UInt8](repeating: 1, count: 2 << 20)
        let scene = try scene(retries: 3) { _, _ in
            [.whole(4 << 20, etag: nil), .body(bytes), .end(.failed(TransferError(.reset, "cut")))]
        }
        let task = try scene.add()
        scene.transport.run()
        scene.pass(120)
        #expect(task.life.snapshot.outcome?.error?.code == .reset)
        #expect(scene.transport.record.requests.count == 5, "the first gained, the next three did not")
    }

    @Test("Retry-After holds back the host, not only the task, and other hosts go on")
    func retryAfter() throws {
        let scene = try scene(configure: { $0.jobs = 1 }) { request, number in
            number == 0 ? .status(503, [HTTPField("Retry-After", "20")]) : .file([1])
        }
        let first = try scene.add("/a")
        let same = try scene.add("/b")
        let other = try scene.add("/c", host: "other.test")
        scene.transport.run()
        scene.pass(19.5)
        #expect(other.life.snapshot.outcome?.isCompleted == true)
        #expect(first.life.snapshot.outcome == nil && same.life.snapshot.outcome == nil)
        scene.pass(1)
        #expect(first.life.snapshot.outcome?.isCompleted == true && same.life.snapshot.outcome?.isCompleted == true)
    }

    @Test("an answer without a file is judged by its head, though its body never ends", arguments: [0.2, 4.0])
    func endlessAnswer(_ gap: Double) throws {
        let latches = (0..<40).map { _ in Latch() }
        let scene = try scene(configure: { $0.idleTimeout = 3 }) { _, _ in
            [.head(404, [HTTPField("Content-Length", "4000")])] + latches.flatMap { [.wait($0), .body([1])] }
        }
        let task = try scene.add()
        scene.transport.run()
        for latch in latches where task.life.snapshot.outcome == nil {
            scene.pass(gap)
            latch.open()
            scene.transport.run()
        }
        #expect(task.life.snapshot.outcome?.error?.status == 404)
        #expect(scene.transport.record.requests.count == 1)
    }

    @Test("no attempt begins after the limit of time, also when it had to wait for a slot")
    func late() throws {
        let latch = Latch()
        let scene = try scene(
            configure: {
                $0.jobs = 1
                $0.retryMaxTime = 2
            },
            { _, number in
                number == 0 ? .failure(TransferError(.connect, "no")) : [.whole(1), .wait(latch), .body([1])]
            })
        let first = try scene.add("/a")
        try scene.add("/b")
        scene.transport.run()
        scene.pass(3)
        latch.open()
        scene.pass(1)
        #expect(first.life.snapshot.outcome?.error?.message == "no; no new attempt after --retry-max-time, 2 s")
        #expect(scene.transport.record.requests.count == 2)
    }

    @Test("Retry-After: 0 does not take the pause between two tries away")
    func noWait() throws {
        let scene = try scene { _, _ in .status(503, [HTTPField("Retry-After", "0")]) }
        let task = try scene.add()
        scene.transport.run()
        #expect(retries(scene, task).first.map { $0.delay >= 0.5 } == true)
    }

    @Test("a Retry-After that is too long fails now, with its reason")
    func tooLong() throws {
        let scene = try scene { _, _ in .status(429, [HTTPField("Retry-After", "86400")]) }
        let task = try scene.add()
        scene.transport.run()
        let error = try #require(task.life.snapshot.outcome?.error)
        #expect(error.status == 429 && error.message.contains("86400 s"))
        #expect(scene.transport.record.requests.count == 1)
    }

    @Test("the bytes of a dropped body are sent once", arguments: Backend.allCases)
    func dropped(_ backend: Backend) async throws {
        let size: Int64 = 8 << 20
        // Each connection brings 2 MiB.
        let server = try LoopbackServer(
            Route { request in
                let first = request["Range"].flatMap { Int64($0.dropFirst(6).dropLast()) } ?? 0
                let status = first == 0 ? "200 OK" : "206 Partial Content"
                let last = min(size, first + (2 << 20))
                return [
                    .head(
                        status,
                        ["ETag: \"x\"", "Content-Length: \(size - first)"]
                            + (first == 0 ? [] : ["Content-Range: bytes \(first)-\(size - 1)/\(size)"])),
                    .body(BodyPattern(1), first..<last, chunked: false, .full), .close,
                ]
            })
        defer { server.stop() }
        let folder = try Folder()
        var configuration = SessionConfiguration(in: folder)
        configuration.retries = 1  // each attempt gains more than 1 MiB, so this is enough
        let session = try Session(transport: backend.make(), configuration: configuration, random: { 0 })
        let task = try session.add(TransferRequest(server.url("/a")))
        let summary = await session.finish().summary
        #expect(task.life.snapshot.outcome?.isCompleted == true && task.life.snapshot.attempt == 4)
        #expect(folder.read("a").map { BodyPattern(1).matches($0) } == true)
        #expect(server.record.bodySent == size && summary.bytes == size && summary.wasted == 0)
    }
}
