import Glibc
import Testing
import WhirlCore
import WhirlInMemory
import WhirlLoopback

@testable import WhirlSession

@Suite("Continuing what an earlier run began", .timeLimit(.minutes(1))) struct ResumeTests {
    private static let size: Int64 = 3_000_000
    private static let half = size / 2
    private static let date = "Date: Mon, 02 Mar 2026 10:00:00 GMT"
    private static let modified = "Mon, 02 Mar 2026 09:00:00 GMT"

    /// How a server that has changed meanwhile answers the second run.
    private struct Served: Sendable {
        var file: ServedFile
        /// Sends a part of what it has now, whatever `If-Range` says.
        var ignoresIfRange = false

        func route(_ gate: Gate, _ first: ServedFile) -> Route {
            Route.files { request in
                if request.number == 0 {
                    var file = first
                    file.pace = .gate(gate, at: ResumeTests.half)
                    return file
                }
                var file = file
                if ignoresIfRange, let validator = request["If-Range"] { file.etag = validator }
                return file
            }
        }
    }

    /// A first run that is broken off in the middle, and what the second finds.
    private struct Second {
        let folder: Folder
        let task: any TransferTask
        let events: [TaskEvent]
        let requests: [ReceivedRequest]
        let wasted: Int64
        let warnings: [String]

        var restarts: [String] {
            events.compactMap { if case .restarted(let reason) = $0 { reason } else { nil } }
        }
        var outcome: TaskOutcome? { task.life.snapshot.outcome }
    }

    private func twice(
        _ backend: Backend, _ first: ServedFile, then second: ServedFile? = nil,
        resume: SessionConfiguration.Resume = .auto, ignoresIfRange: Bool = false,
        digests: [DigestAlgorithm: String] = [:], path: String = "/a", between: (Folder) -> Void = { _ in }
    ) async throws -> Second {
        let served = Served(file: second ?? first, ignoresIfRange: ignoresIfRange)
        let server = try LoopbackServer(served.route(Gate(), first))
        defer { server.stop() }
        let folder = try Folder()
        let begun = try Session(transport: backend.make(), configuration: SessionConfiguration(in: folder))
        let task = try begun.add(TransferRequest(server.url("/a"), to: .path("a")))
        await task.until { $0.progress.received == Self.half }
        begun.perform(.quit(reason: "signal"))
        _ = await begun.finish()
        between(folder)
        var configuration = SessionConfiguration(in: folder)
        configuration.resume = resume
        let recorder = Recorder()
        let session = try Session(transport: backend.make(), configuration: configuration, frontends: [recorder])
        let again = try session.add(TransferRequest(server.url(path), to: .path("a"), digests: digests))
        let (summary, _) = await session.finish()
        return Second(
            folder: folder, task: again, events: recorder.events(of: again.life.id), requests: server.record.requests,
            wasted: summary.wasted, warnings: recorder.warnings)
    }

    private func expectWhole(_ second: Second, _ size: Int64 = size, seed: Int = 1) throws {
        #expect(second.outcome?.isCompleted == true, "\(String(describing: second.outcome))")
        let bytes = try #require(second.folder.read("a"))
        #expect(Int64(bytes.count) == size && BodyPattern(seed).matches(bytes))
        #expect(second.folder.names == ["a"], "nothing is left behind")
    }

    @Test("an interrupted transfer is continued, with If-Range, and nothing is sent twice", arguments: Backend.allCases)
    func continues(_ backend: Backend) async throws {
        let second = try await twice(backend, ServedFile(size: Self.size))
        try expectWhole(second)
        let request = try #require(second.requests.last)
        #expect(request["Range"] == "bytes=\(Self.half)-" && request["If-Range"] == "\"1-\(Self.size)\"")
        #expect(second.requests.count == 2 && request.bodySent == Self.size - Self.half)
        #expect(second.restarts.isEmpty && second.task.life.snapshot.offset == Self.half)
    }

    @Test("Last-Modified continues too, when the Date is at least a second later", arguments: Backend.allCases)
    func lastModified(_ backend: Backend) async throws {
        let file = ServedFile(size: Self.size, etag: nil, lastModified: Self.modified, fields: [Self.date])
        let second = try await twice(backend, file)
        try expectWhole(second)
        #expect(second.requests.last?["If-Range"] == Self.modified && second.restarts.isEmpty)
    }

    @Test("a file that has changed is fetched anew: never a mixture", arguments: Backend.allCases, [size, size + 7, 9])
    func changed(_ backend: Backend, _ size: Int64) async throws {
        let second = try await twice(backend, ServedFile(size: Self.size), then: ServedFile(size: size, seed: 2))
        try expectWhole(second, size, seed: 2)
        #expect(second.restarts == ["changed"] && second.requests.count == 2)
    }

    @Test("a server that sends a part of another file is asked once more, for the whole", arguments: Backend.allCases)
    func otherPart(_ backend: Backend) async throws {
        // Its 206 has an ETag of its own, whatever If-Range said.
        let route = Route { request in
            let file = ServedFile(size: Self.size, seed: request.number == 0 ? 1 : 2, etag: "\"\(request.number)\"")
            guard request["Range"] != nil else { return Route.file(file).steps(request) }
            return [
                .head(
                    "206 Partial Content",
                    [
                        "ETag: \"new\"", "Content-Range: bytes \(Self.half)-\(Self.size - 1)/\(Self.size)",
                        "Content-Length: \(Self.size - Self.half)",
                    ]), .body(BodyPattern(2), Self.half..<Self.size, chunked: false, .full),
            ]
        }
        let gate = Gate()
        let server = try LoopbackServer(
            Route { request in
                guard request.number == 0 else { return route.steps(request) }
                return Route.file(ServedFile(size: Self.size, etag: "\"0\"", pace: .gate(gate, at: Self.half)))
                    .steps(request)
            })
        defer { server.stop() }
        let folder = try Folder()
        let begun = try Session(transport: backend.make(), configuration: SessionConfiguration(in: folder))
        let first = try begun.add(TransferRequest(server.url("/a")))
        await first.until { $0.progress.received == Self.half }
        begun.perform(.quit(reason: "signal"))
        _ = await begun.finish()
        let recorder = Recorder()
        let session = try Session(
            transport: backend.make(), configuration: SessionConfiguration(in: folder), frontends: [recorder])
        let task = try session.add(TransferRequest(server.url("/a")))
        _ = await session.finish()
        let bytes = try #require(folder.read("a"))
        #expect(Int64(bytes.count) == Self.size && BodyPattern(2).matches(bytes) && folder.names == ["a"])
        let events = recorder.events(of: task.life.id)
        #expect(events.contains(TaskEvent.restarted(reason: "changed")) && server.record.requests.count == 3)
        #expect(task.life.snapshot.attempt == 1, "it costs no retry")
    }

    @Test("a server without ranges sends all, and all of it is taken", arguments: Backend.allCases)
    func withoutRanges(_ backend: Backend) async throws {
        var file = ServedFile(size: Self.size)
        file.acceptsRanges = false
        let second = try await twice(backend, file)
        try expectWhole(second)
        #expect(second.restarts == ["ranges_ignored"])
    }

    @Test("without a strong validator it starts over, and says why", arguments: Backend.allCases)
    func withoutValidator(_ backend: Backend) async throws {
        let second = try await twice(backend, ServedFile(size: Self.size, etag: "W/\"1\""))
        try expectWhole(second)
        #expect(second.restarts == ["no_validator"] && second.requests.last?["Range"] == nil)
    }

    @Test("unsafe goes on without a validator", arguments: Backend.allCases)
    func unsafeResume(_ backend: Backend) async throws {
        let second = try await twice(backend, ServedFile(size: Self.size, etag: nil), resume: .unsafe)
        try expectWhole(second)
        #expect(second.restarts.isEmpty && second.requests.last?["Range"] == "bytes=\(Self.half)-")
        #expect(second.requests.last?["If-Range"] == nil)
    }

    @Test("never starts over, and says nothing about it", arguments: Backend.allCases)
    func never(_ backend: Backend) async throws {
        let second = try await twice(backend, ServedFile(size: Self.size), resume: .never)
        try expectWhole(second)
        #expect(second.restarts.isEmpty && second.requests.last?["Range"] == nil)
    }

    @Test("strict fails rather than starting over, and keeps what is there", arguments: Backend.allCases, [1, 2, 3])
    func strict(_ backend: Backend, _ kind: Int) async throws {
        var later = ServedFile(size: Self.size, seed: kind == 1 ? 2 : 1)
        later.acceptsRanges = kind != 2
        let first = ServedFile(size: Self.size, etag: kind == 3 ? nil : "\"1-\(Self.size)\"")
        let second = try await twice(backend, first, then: later, resume: .strict)
        #expect(second.outcome?.error?.code == .changed && second.restarts.isEmpty)
        #expect(second.folder.names == ["a.part", "a.part.state"])
        #expect(second.folder.read("a.part").map { BodyPattern(1).matches($0) } == true)
    }

    @Test("a .part that is whole completes with no byte moved", arguments: Backend.allCases)
    func whole(_ backend: Backend) async throws {
        let second = try await twice(backend, ServedFile(size: Self.size)) { folder in
            let all = BodyPattern(1).bytes(0..<Self.size)
            folder.write("a.part", all)
        }
        try expectWhole(second)
        #expect(second.requests.last?["Range"] == "bytes=\(Self.size)-" && second.restarts.isEmpty)
    }

    @Test("416 proves nothing of a file whose length and validator nobody tells")
    func unproven() {
        let head = ResponseHead(status: 416, fields: [HTTPField("Content-Range", "bytes */5")])
        let point = ResumePoint(offset: 5, validator: Validator(etag: "\"1\""), total: nil)
        #expect(HeadJudgement(head, continuing: point) == .askAgain(reason: "changed"))
        let told = ResponseHead(
            status: 416, fields: [HTTPField("Content-Range", "bytes */5"), HTTPField("ETag", "\"1\"")])
        #expect(HeadJudgement(told, continuing: point) == .complete)
    }

    @Test("a part that is longer than it says fails, and no number goes beyond the total")
    func longer() throws {
        let scene = try Scene { _, number in
            number == 0 ? [.whole(4), .body([1, 2]), .wait(Latch())] : [.rest(from: 2, of: 4), .body([3, 4, 5])]
        }
        let task = try scene.add()
        scene.transport.run()
        task.suspend()
        scene.pass(11)
        task.resume()
        scene.transport.run()
        #expect(task.life.snapshot.outcome?.error?.code == .malformed && task.life.snapshot.progress.received == 2)
    }

    @Test("416 with another length starts over", arguments: Backend.allCases)
    func shorter(_ backend: Backend) async throws {
        let second = try await twice(
            backend, ServedFile(size: Self.size), then: ServedFile(size: 1000, seed: 2, etag: "\"1-\(Self.size)\""))
        try expectWhole(second, 1000, seed: 2)
        #expect(second.restarts == ["changed"])
    }

    @Test("another URL does not continue, unless a digest vouches for the bytes", arguments: Backend.allCases)
    func otherURL(_ backend: Backend) async throws {
        let second = try await twice(backend, ServedFile(size: Self.size), path: "/mirror/a")
        try expectWhole(second)
        #expect(second.restarts == ["other_url"] && second.requests.last?["Range"] == nil)
        let digest = Self.sha256(BodyPattern(1).bytes(0..<Self.size))
        let sure = try await twice(
            backend, ServedFile(size: Self.size), digests: [.sha256: digest], path: "/mirror/a")
        try expectWhole(sure)
        #expect(sure.restarts.isEmpty && sure.requests.last?["Range"] == "bytes=\(Self.half)-")
    }

    @Test("what was continued on a digest's word and is wrong is fetched anew, once", arguments: Backend.allCases)
    func wrongMirror(_ backend: Backend) async throws {
        let digest = Self.sha256(BodyPattern(2).bytes(0..<Self.size))
        let second = try await twice(
            backend, ServedFile(size: Self.size), then: ServedFile(size: Self.size, seed: 2),
            digests: [.sha256: digest], path: "/mirror/a")
        try expectWhole(second, seed: 2)
        #expect(second.restarts == ["digest_mismatch"] && second.requests.count == 3)
    }

    @Test("a URL's user and password are no part of what a state remembers", arguments: Backend.allCases)
    func secrets(_ backend: Backend) async throws {
        let state = try await Self.state(backend, "http://me:hunter2@", "/a?token=hunter2#hunter2")
        #expect(!state.contains("hunter2") && state.contains("whirl-part/1"))
    }

    private static func state(_ backend: Backend, _ scheme: String, _ target: String) async throws -> String {
        let server = try LoopbackServer(.file(size: size, pace: .gate(Gate(), at: half)))
        defer { server.stop() }
        let folder = try Folder()
        let session = try Session(transport: backend.make(), configuration: SessionConfiguration(in: folder))
        let url = scheme + server.url(target).dropFirst(7)
        let task = try session.add(TransferRequest(url, to: .path("a")))
        await task.until { $0.progress.received == half }
        task.cancel()
        _ = await session.finish()
        let path = "\(folder.path)/a.part.state"
        var status = stat()
        #expect(unsafe stat(path, &status) == 0 && status.st_mode & 0o777 == 0o600)
        return String(decoding: folder.read("a.part.state") ?? [], as: UTF8.self)
    }

    static func sha256(_ bytes: [UInt8]) -> String {
        let digest = RunningDigest(.sha256)
        unsafe bytes.withUnsafeBytes { unsafe digest.update($0) }
        return digest.finish()
    }

    // MARK: states that can't be used

    @Test(
        "a damaged, foreign or newer state restarts its file, with one line",
        arguments: Backend.allCases,
        [
            ("{", "damaged"), ("", "damaged"), ("[1]", "damaged"), (#"{"schema":"whirl-part/1"}"#, "damaged"),
            (#"{"schema":"other/1"}"#, "not whirl's"), (#"{"schema":"whirl-part/2","key":1}"#, "newer"),
        ])
    func unusable(_ backend: Backend, _ state: (text: String, word: String)) async throws {
        let second = try await twice(backend, ServedFile(size: Self.size)) { $0.write("a.part.state", state.text) }
        try expectWhole(second)
        #expect(second.restarts.count == 1 && second.requests.last?["Range"] == nil)
        #expect(second.warnings.count == 1 && second.warnings.first?.contains(state.word) == true)
        #expect(second.warnings.first?.contains("a.part.state") == true)
    }

    @Test("after a reboot only what had been synced is relied on", arguments: Backend.allCases)
    func reboot(_ backend: Backend) async throws {
        let second = try await twice(backend, ServedFile(size: Self.size)) { folder in
            let path = "\(folder.path)/a.part.state"
            guard var state = try? PartState(at: path) else { return }
            (state.boot, state.synced) = ("another", 1000)
            #expect(state.write(to: path) == 0)
        }
        try expectWhole(second)
        #expect(second.requests.last?["Range"] == "bytes=1000-" && second.restarts.isEmpty)
    }

    @Test("a second run on the same file fails, and the first is not disturbed", arguments: Backend.allCases)
    func locked(_ backend: Backend) async throws {
        let gate = Gate()
        let server = try LoopbackServer(.file(size: Self.size, pace: .gate(gate, at: Self.half)))
        defer { server.stop() }
        let folder = try Folder()
        let one = try Session(transport: backend.make(), configuration: SessionConfiguration(in: folder))
        let first = try one.add(TransferRequest(server.url("/a")))
        await first.until { $0.progress.received == Self.half }
        let other = try Session(transport: backend.make(), configuration: SessionConfiguration(in: folder))
        let second = try other.add(TransferRequest(server.url("/a")))
        #expect(await other.finish().summary.exit == 3)
        #expect(second.life.snapshot.outcome?.error?.code == .io)
        gate.open()
        #expect(await one.finish().summary.completed == 1)
        #expect(folder.read("a").map { BodyPattern(1).matches($0) } == true && folder.names == ["a"])
    }

    @Test("what is no file is left alone: a FIFO in the place of .part", arguments: Backend.allCases)
    func fifo(_ backend: Backend) async throws {
        let server = try LoopbackServer(.text("new"))
        defer { server.stop() }
        let folder = try Folder()
        let path = "\(folder.path)/a.part"
        #expect(unsafe mkfifo(path, 0o600) == 0)
        let session = try Session(transport: backend.make(), configuration: SessionConfiguration(in: folder))
        let task = try session.add(TransferRequest(server.url("/a")))
        _ = await session.finish()
        #expect(task.life.snapshot.outcome?.error?.code == .io && folder.names == ["a.part"])
    }

    @Test("a state that a killed process left beside a whole file goes", arguments: Backend.allCases)
    func stale(_ backend: Backend) async throws {
        let folder = try Folder()
        folder.write("a", "whole")
        let state = PartState(key: "k", url: "http://h.test/a", validator: nil, total: nil)
        #expect(state.write(to: "\(folder.path)/a.part.state") == 0)
        folder.write("b", "whole")
        folder.write("b.part.state", "somebody else's")
        let session = try Session(transport: backend.make(), configuration: SessionConfiguration(in: folder))
        for name in ["a", "b"] { try session.add(TransferRequest("http://127.0.0.1:9/\(name)")) }
        #expect(await session.finish().summary.skipped == 2)
        #expect(folder.names == ["a", "b", "b.part.state"])
    }
}
