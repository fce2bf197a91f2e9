import Testing
import WhirlCore
import WhirlInMemory
import WhirlLoopback

@testable import WhirlSession

@Suite("Several URLs of the same bytes", .timeLimit(.minutes(1))) struct MirrorTests {
    private static let bytes: [UInt8] = [1, 2, 3, 4, 5, 6]
    private static let sha256 = ResumeTests.sha256(bytes)

    /// A scene whose script knows the host that is asked, and how many requests that host has had.
    private func scene(
        _ delivery: ScriptedTransport.Delivery = .stepped, retries: Int = 0,
        configure: @escaping (inout SessionConfiguration) -> Void = { _ in },
        _ script: @escaping @Sendable (String, Int) -> [Step]
    ) throws -> Scene {
        let counts = Watched<[String: Int]>([:])
        return try Scene(
            delivery,
            configure: {
                $0.retries = retries
                configure(&$0)
            }
        ) { request, _ in
            let host = String(request.url.split(separator: "/")[1])
            var count = 0
            counts.change { counts in
                count = counts[host] ?? 0
                counts[host] = count + 1
            }
            return script(host, count)
        }
    }

    private func add(_ scene: Scene, digests: [DigestAlgorithm: String] = [:]) throws -> any TransferTask {
        let task = try scene.session.add(
            TransferRequest("http://a/f", digests: digests, mirrors: ["http://b/f", "http://c/f"]))
        scene.transport.run()
        return task
    }

    private func hosts(_ scene: Scene) -> [String] {
        scene.transport.record.requests.map { String($0.url.split(separator: "/")[1]) }
    }

    private func value(_ name: String, _ request: ExchangeRequest?) -> String? {
        request?.fields.first { $0.name == name }?.value
    }

    @Test(
        "the next is tried at once when one fails in a way that another may not",
        arguments: [
            .status(404), .status(503), .status(401), .failure(TransferError(.connect, "no")),
            .failure(TransferError(.certificate, "no")), .redirect("ftp://x/"), [.whole(9), .body([1])],
        ] as [[Step]])
    func next(_ failure: [Step]) async throws {
        let scene = try scene { host, _ in host == "b" ? .file(Self.bytes) : failure }
        let task = try add(scene)
        #expect(task.life.snapshot.outcome?.isCompleted == true && hosts(scene) == ["a", "b"])
        #expect(scene.folder.read("f") == Self.bytes && scene.folder.names == ["f"])
        #expect(task.life.snapshot.url == "http://b/f" && task.life.snapshot.attempt == 2)
        let summary = await scene.session.finish().summary
        #expect(summary.completed == 1 && summary.failed == 0 && summary.exit == 0)
    }

    @Test("a failure of our own is no mirror's")
    func own() throws {
        let scene = try scene(configure: { $0.directory = "/proc/none" }) { _, _ in .file(Self.bytes) }
        let task = try add(scene)
        #expect(task.life.snapshot.outcome?.error?.code.exit == 3 && hosts(scene) == ["a"])
    }

    @Test("when all have failed for good the task fails with the worst of it, and says how many there were")
    func allFail() async throws {
        let scene = try scene(.thread, retries: 5) { host, _ in host == "b" ? .file([9]) : .status(404) }
        let task = try add(scene, digests: [.sha256: Self.sha256])
        _ = await task.outcome()
        let error = try #require(task.life.snapshot.outcome?.error)
        #expect(error.code == .digestMismatch && error.message.hasSuffix("; none of the 3 URLs gave the file"))
        #expect(hosts(scene) == ["a", "b", "c"])
    }

    @Test("when all have failed there is a wait, and only those that may do better are tried again")
    func rounds() throws {
        let scene = try scene(retries: 5) { host, count in
            host == "b" ? .status(404) : count < 2 ? .status(503) : .file(Self.bytes)
        }
        let task = try add(scene)
        #expect(hosts(scene) == ["a", "b", "c"] && task.life.snapshot.phase == .backoff)
        scene.pass(60)
        #expect(hosts(scene) == ["a", "b", "c", "a", "c", "a"] && task.life.snapshot.outcome?.isCompleted == true)
    }

    @Test("retries are counted over all of them")
    func count() throws {
        let scene = try scene(retries: 2) { _, _ in .failure(TransferError(.connect, "no")) }
        let task = try add(scene)
        scene.pass(120)
        #expect(hosts(scene) == ["a", "b", "c", "a", "b", "c", "a", "b", "c"])
        #expect(task.life.snapshot.outcome?.error?.message == "no; none of the 3 URLs gave the file")
    }

    @Test("one that asks to be left alone is, and the others go on")
    func retryAfter() throws {
        let scene = try scene(retries: 5) { host, count in
            host == "a" ? .status(503, [HTTPField("Retry-After", "100")]) : count < 2 ? .status(503) : .file(Self.bytes)
        }
        let task = try add(scene)
        scene.pass(60)
        #expect(hosts(scene) == ["a", "b", "c", "b", "c", "b"] && task.life.snapshot.outcome?.isCompleted == true)
    }

    @Test("bytes in hand are continued at another one under a digest, without the first one's validator")
    func continues() async throws {
        let scene = try scene { host, _ in
            host == "a"
                ? [.whole(6), .body([1, 2, 3]), .end(.failed(TransferError(.reset, "cut")))]
                : [.rest(from: 3, of: 6, etag: "\"other\""), .body([4, 5, 6])]
        }
        let task = try add(scene, digests: [.sha256: Self.sha256])
        _ = await task.outcome()
        #expect(task.life.snapshot.outcome?.isCompleted == true && scene.folder.read("f") == Self.bytes)
        let second = scene.transport.record.requests.last
        #expect(value("Range", second) == "bytes=3-" && value("If-Range", second) == nil)
        #expect(await scene.session.finish().summary.wasted == 0)
    }

    @Test("a mixture is found out by the digest, and fetched from the beginning")
    func mixture() async throws {
        let scene = try scene(.thread) { host, count in
            switch (host, count) {
            case ("a", _): [.whole(6), .body([9, 9, 9]), .end(.failed(TransferError(.reset, "cut")))]
            case ("b", 0): [.rest(from: 3, of: 6), .body([4, 5, 6])]
            default: .file(Self.bytes)
            }
        }
        let task = try add(scene, digests: [.sha256: Self.sha256])
        _ = await task.outcome()
        #expect(task.life.snapshot.outcome?.isCompleted == true && scene.folder.read("f") == Self.bytes)
        #expect(scene.recorder.events(of: task.life.id).contains(.restarted(reason: "digest_mismatch")))
    }

    @Test("without a digest another one starts over, once it sends the file, and says so")
    func startsOver() async throws {
        let scene = try scene { host, _ in
            host == "a"
                ? [.whole(6), .body([9, 9, 9]), .end(.failed(TransferError(.reset, "cut")))] : .file(Self.bytes)
        }
        let task = try scene.session.add(TransferRequest("http://a/f", mirrors: ["http://b/f"]))
        let log = EventLog(task)
        scene.transport.run()
        #expect(task.life.snapshot.outcome?.isCompleted == true && scene.folder.read("f") == Self.bytes)
        #expect(value("Range", scene.transport.record.requests.last) == nil)
        #expect(log.events.contains(.restarted(reason: "other_url")))
        #expect(await scene.session.finish().summary.wasted == 3)
    }

    @Test("bytes in hand outlive a mirror that sends nothing")
    func keeps() throws {
        let scene = try scene(retries: 1) { host, count in
            if host != "a" { return .failure(TransferError(.connect, "no")) }
            return count == 0
                ? [.whole(6), .body([1, 2, 3]), .end(.failed(TransferError(.reset, "cut")))]
                : [.rest(from: 3, of: 6), .body([4, 5, 6])]
        }
        let task = try add(scene)
        let log = EventLog(task)
        scene.pass(60)
        #expect(task.life.snapshot.outcome?.isCompleted == true && scene.folder.read("f") == Self.bytes)
        #expect(value("If-Range", scene.transport.record.requests.last) == "\"1\"")
        #expect(!log.events.contains { if case .restarted = $0 { true } else { false } })
    }

    @Test("strict never starts over at another one: it waits for the one that has sent the bytes")
    func strict() throws {
        let scene = try scene(retries: 1, configure: { $0.resume = .strict }) { host, count in
            host == "a" && count == 0
                ? [.whole(6), .body([1, 2, 3]), .end(.failed(TransferError(.reset, "cut")))]
                : [.rest(from: 3, of: 6), .body([4, 5, 6])]
        }
        let task = try add(scene)
        scene.pass(60)
        #expect(hosts(scene) == ["a", "a"] && task.life.snapshot.outcome?.isCompleted == true)
    }

    @Test("bytes that are wrong by digest or size are another one's chance, from the beginning")
    func wrong() async throws {
        for request in [
            TransferRequest("http://a/f", digests: [.sha256: Self.sha256], mirrors: ["http://b/f"]),
            TransferRequest("http://a/f", size: 6, mirrors: ["http://b/f"]),
        ] {
            let scene = try scene(.thread) { host, _ in host == "a" ? [.whole(nil), .body([9, 9])] : .file(Self.bytes) }
            let task = try scene.session.add(request)
            _ = await task.outcome()
            #expect(task.life.snapshot.outcome?.isCompleted == true && scene.folder.read("f") == Self.bytes)
            #expect(scene.recorder.events(of: task.life.id).contains(.restarted(reason: "digest_mismatch")))
            #expect(value("Range", scene.transport.record.requests.last) == nil)
            #expect(await scene.session.finish().summary.wasted == 2)
        }
    }

    @Test("credentials of a URL go to it alone")
    func credentials() throws {
        let scene = try scene { _, _ in .status(404) }
        try scene.session.add(
            TransferRequest(
                "http://me:one@a/f", fields: [HTTPField("Cookie", "secret"), HTTPField("X-Plain", "1")],
                mirrors: ["http://b/f", "http://you:two@c/f"]))
        scene.transport.run()
        let sent = scene.transport.record.requests.map { request in
            ["Authorization", "Cookie", "X-Plain"].map { value($0, request) }
        }
        #expect(sent == [["Basic bWU6b25l", "secret", "1"], [nil, nil, "1"], ["Basic eW91OnR3bw==", nil, "1"]])
        #expect(scene.transport.record.requests.map(\.url) == ["http://a/f", "http://b/f", "http://c/f"])
    }

    @Test("slots are those of the host that is asked")
    func slots() throws {
        let latch = Latch()
        let scene = try scene(configure: { $0.jobsPerHost = 1 }) { host, _ in
            host == "a" ? .status(404) : [.whole(1), .wait(latch), .body([1])]
        }
        try scene.session.add(TransferRequest("http://b/x"))
        let task = try scene.session.add(TransferRequest("http://a/f", mirrors: ["http://b/f"]))
        scene.transport.run()
        #expect(hosts(scene) == ["b", "a"] && task.life.snapshot.outcome == nil)
        latch.open()
        scene.pass(1)
        #expect(task.life.snapshot.outcome?.isCompleted == true)
        #expect(scene.transport.record.peaks.values.allSatisfy { $0 == 1 })
    }

    @Test("a task that is suspended while one fails goes on with the next")
    func suspended() throws {
        let latch = Latch()
        let scene = try scene { host, _ in host == "a" ? [.wait(latch)] + .status(404) : .file(Self.bytes) }
        let task = try add(scene)
        task.suspend()
        latch.open()
        scene.pass(1)
        #expect(task.life.snapshot.state == .suspended)
        task.resume()
        scene.pass(1)
        #expect(task.life.snapshot.outcome?.isCompleted == true)
    }

    @Test("one that makes no sense is refused before anything starts, and one that stands twice is one")
    func admission() throws {
        let request = TransferRequest("http://a/f", mirrors: ["b/f"])
        #expect(throws: TransferError.self) { try check([request]) }
        let scene = try scene { _, _ in .status(404) }
        try scene.session.add(TransferRequest("http://a/f", mirrors: ["http://a/f", "http://b/f", "http://b/f#x"]))
        scene.transport.run()
        #expect(hosts(scene) == ["a", "b"])
    }

    // MARK: real transports

    @Test(
        "over a real transport a mirror continues under a digest what the first had begun", arguments: Backend.allCases)
    func real(_ backend: Backend) async throws {
        let size: Int64 = 1_000_000
        let right = ResumeTests.sha256(BodyPattern(1).bytes(0..<size))
        let first = try LoopbackServer(.resets(after: 400_000, of: size))
        let second = try LoopbackServer(.text("none", status: "404 Not Found"))
        let third = try LoopbackServer(.file(size: size))
        defer { for each in [first, second, third] { each.stop() } }
        for digests in [[.sha256: right], [:]] as [[DigestAlgorithm: String]] {
            let folder = try Folder()
            let session = try Session(transport: backend.make(), configuration: SessionConfiguration(in: folder))
            let task = try session.add(
                TransferRequest(
                    first.url("/f"), digests: digests, mirrors: [second.url("/f"), third.url("/f")]))
            let outcome = await task.outcome()
            #expect(outcome?.isCompleted == true, "\(String(describing: outcome))")
            #expect(folder.read("f").map { BodyPattern(1).matches($0) && $0.count == Int(size) } == true)
            let request = try #require(third.record.requests.last)
            let offset = request["Range"].flatMap { Int64($0.dropFirst(6).dropLast()) } ?? 0
            #expect(digests.isEmpty ? offset == 0 : offset > 0 && request["If-Range"] == nil)
            #expect(request.bodySent == size - offset)
            _ = await session.finish()
        }
        #expect(first.record.requests.count == 2 && second.record.requests.count == 2)
    }

    @Test("what a mirror has sent is continued by another run at that mirror only, or under a digest")
    func nextRun() async throws {
        let size: Int64 = 3_000_000
        let gate = Gate()
        let mirror = try LoopbackServer(
            .files { request in
                request.number == 0
                    ? ServedFile(size: size, pace: .gate(gate, at: 1_500_000)) : ServedFile(size: size)
            })
        let first = try LoopbackServer { request in
            request.number == 0 ? .text("none", status: "404 Not Found") : .file(size: size)
        }
        defer { for each in [first, mirror] { each.stop() } }
        let backend = try #require(Backend.allCases.first)
        let folder = try Folder()
        let request = TransferRequest(first.url("/f"), mirrors: [mirror.url("/f")])
        let begun = try Session(transport: backend.make(), configuration: SessionConfiguration(in: folder))
        let task = try begun.add(request)
        await task.until { $0.progress.received >= 1_400_000 }
        begun.perform(.quit(reason: "user"))
        _ = await begun.finish()
        gate.open()
        let again = try Session(transport: backend.make(), configuration: SessionConfiguration(in: folder))
        let second = try again.add(request)
        #expect(await second.outcome()?.isCompleted == true)
        #expect(first.record.requests.count == 1 && mirror.record.requests.last?["If-Range"] != nil)
        #expect(folder.read("f").map { BodyPattern(1).matches($0) && $0.count == Int(size) } == true)
        _ = await again.finish()
    }
}
