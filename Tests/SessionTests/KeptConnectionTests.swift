import Testing
import WhirlCore
import WhirlInMemory
import WhirlLoopback
import WhirlSession

@Suite("Connections kept in pauses") struct KeptConnectionTests {
    private static let ten: [UInt8] = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]

    /// Half of a file of ten bytes, then a latch; the rest by range.
    private func half(_ latch: Latch, etag: String? = "\"1\"") -> @Sendable (ExchangeRequest, Int) -> [Step] {
        { request, _ in
            request["Range"] == "bytes=5-"
                ? [.rest(from: 5, of: 10), .body([6, 7, 8, 9, 10])]
                : [.whole(10, etag: etag), .body([1, 2, 3, 4, 5]), .wait(latch), .body([6, 7, 8, 9, 10])]
        }
    }

    @Test("a paused connection is kept for 10 s and goes on with the next byte")
    func kept() async throws {
        let latch = Latch()
        let scene = try Scene { [half = half(latch)] in half($0, $1) }
        let task = try scene.add()
        scene.transport.run()
        task.suspend()
        latch.open()
        scene.pass(9.9)
        #expect(scene.transport.record.running == 1 && task.life.snapshot.progress.received == 5)
        task.resume()
        scene.transport.run()
        #expect(await scene.session.finish().summary.completed == 1)
        #expect(scene.folder.read("a") == Self.ten && scene.transport.record.requests.count == 1)
    }

    @Test("after 10 s it is let go, and the transfer continues by range")
    func letGo() async throws {
        let scene = try Scene { [half = half(Latch())] in half($0, $1) }
        let task = try scene.add()
        scene.transport.run()
        task.suspend()
        scene.pass(10.2)
        #expect(scene.transport.record.running == 0 && task.life.snapshot.state == .suspended)
        task.resume()
        scene.transport.run()
        let (summary, _) = await scene.session.finish()
        #expect(summary.completed == 1 && summary.bytes == 10 && summary.wasted == 0)
        #expect(scene.folder.read("a") == Self.ten && scene.transport.record.requests.count == 2)
    }

    @Test("with nothing asked for it is let go at once, and the server is left in peace")
    func notKept() async throws {
        let scene = try Scene(configure: { $0.pauseKeeping = 0 }) { [half = half(Latch())] in half($0, $1) }
        let task = try scene.add()
        scene.transport.run()
        task.suspend()
        scene.transport.run()
        #expect(scene.transport.record.running == 0 && task.life.snapshot.progress.received == 5)
        task.resume()
        scene.transport.run()
        #expect(await scene.session.finish().summary.completed == 1)
        #expect(scene.folder.read("a") == Self.ten && scene.transport.record.requests.count == 2)
    }

    @Test("it is let go at once when another task wants the slot")
    func wanted() async throws {
        let scene = try Scene(configure: { $0.jobs = 1 }) { [half = half(Latch())] request, number in
            request.path == "/a" ? half(request, number) : .file([1])
        }
        let task = try scene.add()
        scene.transport.run()
        task.suspend()
        #expect(scene.transport.record.running == 1)
        let other = try scene.add("/b")
        scene.transport.run()
        #expect(other.life.snapshot.outcome?.isCompleted == true && scene.transport.record.running == 0)
        task.resume()
        scene.transport.run()
        #expect(await scene.session.finish().summary.completed == 2)
        #expect(scene.folder.read("a") == Self.ten)
    }

    @Test("it is not kept when another task waits already")
    func queued() async throws {
        let scene = try Scene(configure: { $0.jobs = 1 }) { [half = half(Latch())] request, number in
            request.path == "/a" ? half(request, number) : .file([1])
        }
        let task = try scene.add()
        let other = try scene.add("/b")
        scene.transport.run()
        task.suspend()
        scene.transport.run()
        #expect(scene.transport.record.pauses == 0 && other.life.snapshot.outcome?.isCompleted == true)
        task.resume()
        scene.transport.run()
        #expect(await scene.session.finish().summary.completed == 2)
        #expect(scene.folder.read("a") == Self.ten)
    }

    @Test("without a strong validator it is kept as long as the peer keeps it, whoever wants the slot")
    func noValidator() async throws {
        let latch = Latch()
        let scene = try Scene(configure: { $0.jobs = 1 }) { [half = half(latch, etag: "W/\"1\"")] request, number in
            request.path == "/a" ? half(request, number) : .file([1])
        }
        let task = try scene.add()
        scene.transport.run()
        task.suspend()
        try scene.add("/b")
        scene.transport.run()
        scene.pass(100)
        #expect(scene.transport.record.running == 1)
        task.resume()
        latch.open()
        scene.transport.run()
        #expect(await scene.session.finish().summary.completed == 2)
        #expect(scene.folder.read("a") == Self.ten && scene.transport.record.requests.count == 2)
    }

    @Test("a peer that gave up in a pause is continued by range, at no cost", arguments: [true, false])
    func gaveUp(_ isPaused: Bool) async throws {
        let latch = Latch()
        let scene = try Scene { request, _ in
            request["Range"] == "bytes=5-"
                ? [.rest(from: 5, of: 10), .body([6, 7, 8, 9, 10])]
                : [.whole(10), .body([1, 2, 3, 4, 5]), .wait(latch), .end(.failed(TransferError(.reset, "gone")))]
        }
        let task = try scene.add()
        scene.transport.run()
        task.suspend()
        if !isPaused { task.resume() }
        latch.open()
        scene.transport.run()
        if isPaused {
            #expect(task.life.snapshot.state == .suspended)
            task.resume()
            scene.transport.run()
        }
        let (summary, _) = await scene.session.finish()
        #expect(summary.completed == 1 && summary.wasted == 0 && scene.folder.read("a") == Self.ten)
    }
}
