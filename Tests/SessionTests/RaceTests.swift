import Testing
import WhirlCore
import WhirlInMemory
import WhirlLoopback
import WhirlSession

/// What can happen between two steps of the session, made to happen there: in an observer that is called between them.
@Suite("Between two steps") struct RaceTests {
    private static let ten = [UInt8](repeating: 7, count: 10)

    @Test("a task suspended and resumed while it is redirected keeps to the slots")
    func redirected() async throws {
        let scene = try Scene(configure: { $0.jobs = 1 }) { request, _ in
            request.path == "/a" ? .redirect("/b") : .file(Self.ten)
        }
        let task = try scene.add("/a")
        let trap = Trap(task, on: { if case .redirected = $0 { true } else { false } }) { task in
            task.suspend()
            task.resume()
        }
        for number in 0..<5 { try scene.add("/\(number)") }
        scene.transport.run()
        let (summary, _) = await scene.session.finish()
        #expect(summary.completed == 6 && scene.transport.record.peak == 1)
        withExtendedLifetime(trap) {}
    }

    @Test("a task suspended and resumed while it gets its slot runs")
    func starting() async throws {
        let latch = Latch()
        let scene = try Scene(configure: { $0.startsPaused = true }) { _, _ in
            [.whole(10), .wait(latch), .body(Self.ten)]
        }
        let task = try scene.add()
        let trap = Trap(task, on: { $0 == .resumed }) { task in
            task.suspend()
            task.resume()
        }
        task.resume()
        scene.transport.run()
        #expect(scene.transport.record.running == 1 && task.life.snapshot.state == .running)
        latch.open()
        scene.transport.run()
        #expect(await scene.session.finish().summary.completed == 1)
        withExtendedLifetime(trap) {}
    }

    @Test("a task resumed while it is being suspended runs and says so")
    func suspending() async throws {
        let latch = Latch()
        let scene = try Scene { _, _ in [.whole(10), .body([1]), .wait(latch), .body([2, 3, 4, 5, 6, 7, 8, 9, 10])] }
        let task = try scene.add()
        scene.transport.run()
        let trap = Trap(task, on: { $0 == .progress }) { $0.resume() }
        task.suspend()
        #expect(task.life.snapshot.state == .running)
        latch.open()
        scene.transport.run()
        #expect(task.life.snapshot.outcome?.isCompleted == true)
        withExtendedLifetime(trap) {}
    }

    @Test("a task suspended inside the transport's start falls silent")
    func insideStart() async throws {
        let slot = Slot()
        let latch = Latch()
        let scene = try Scene(.inline, configure: { $0.startsPaused = true }) { _, _ in
            [
                .whole(10), .body([1, 2, 3, 4]), .call { slot.task?.suspend() }, .wait(latch),
                .body([5, 6, 7, 8, 9, 10]),
            ]
        }
        let task = try scene.add()
        slot.task = task
        task.resume()
        latch.open()
        let snapshot = task.life.snapshot
        #expect(snapshot.state == .suspended && snapshot.progress.received == 4 && snapshot.outcome == nil)
        task.resume()
        #expect(await scene.session.finish().summary.completed == 1)
        #expect(scene.folder.read("a") == [1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
    }

    @Test("a task suspended while its connection goes on falls silent")
    func goingOn() async throws {
        let latch = Latch()
        let scene = try Scene { _, _ in [.whole(10), .body([1]), .wait(latch), .body([2, 3, 4, 5, 6, 7, 8, 9, 10])] }
        let task = try scene.add()
        scene.transport.run()
        task.suspend()
        let trap = Trap(task, on: { $0 == .resumed }) { $0.suspend() }
        task.resume()
        latch.open()
        scene.transport.run()
        let snapshot = task.life.snapshot
        #expect(snapshot.state == .suspended && snapshot.progress.received == 1 && snapshot.outcome == nil)
        task.resume()
        scene.transport.run()
        #expect(await scene.session.finish().summary.completed == 1)
        withExtendedLifetime(trap) {}
    }

    @Test("a tick while bytes are thrown away does not bring their number back", arguments: [200, 206])
    func stale(_ status: Int) async throws {
        let scene = try Scene(capabilities: [.phases]) { request, number in
            switch number {
            case 0: [.whole(10), .body([1, 2, 3, 4, 5]), .wait(Latch())]
            case 1 where status == 206: [.rest(from: 5, of: 11, etag: "\"2\""), .body([0])]
            default: .file([9, 9], etag: "\"2\"")
            }
        }
        let task = try scene.add()
        scene.transport.run()
        task.suspend()
        scene.transport.run()
        let trap = Trap(task, on: { if case .restarted = $0 { true } else { false } }) { _ in
            scene.clock.advance(by: 0.2)
        }
        task.resume()
        scene.transport.run()
        #expect(task.life.snapshot.outcome?.isCompleted == true && task.life.snapshot.progress.received == 2)
        #expect(await scene.session.finish().summary.wasted == 5)
        #expect(scene.folder.read("a") == [9, 9])
        withExtendedLifetime(trap) {}
    }

    @Test("silence in a pause counts for nothing")
    func silence() async throws {
        let latch = Latch()
        let scene = try Scene(configure: { $0.idleTimeout = 2 }) { _, _ in
            [.whole(2, etag: nil), .body([1]), .wait(latch), .body([2])]
        }
        let task = try scene.add()
        scene.transport.run()
        scene.pass(1)
        task.suspend()
        scene.pass(30)
        let trap = Trap(task, on: { $0 == .resumed }) { _ in scene.clock.advance(by: 0.1) }
        task.resume()
        scene.transport.run()
        #expect(task.life.snapshot.state == .running)
        latch.open()
        scene.transport.run()
        #expect(await scene.session.finish().summary.completed == 1)
        withExtendedLifetime(trap) {}
    }

    @Test("a head that comes after a cancel leaves the bytes in hand alone")
    func lateHead() async throws {
        let slot = Slot()
        let scene = try Scene(.inline, capabilities: [.phases]) { _, number in
            number == 0
                ? [.whole(10), .body([1, 2, 3, 4, 5]), .wait(Latch())]
                : [.call { slot.task?.cancel() }, .whole(3, etag: "\"2\""), .body([9, 9, 9])]
        }
        let task = try scene.add()
        slot.task = task
        task.suspend()
        task.resume()
        #expect(await scene.session.finish().summary.cancelled == 1)
        #expect(scene.folder.read("a.part") == [1, 2, 3, 4, 5])
    }
}
