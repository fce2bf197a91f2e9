import Synchronization
import Testing
import WhirlCore
import WhirlInMemory
import WhirlLoopback
import WhirlSession

@Suite("Timeouts") struct TimeoutTests {
    /// The error of the first task, when it has failed.
    private func error(_ task: any TransferTask) -> TransferError.Code? { task.life.snapshot.outcome?.error?.code }

    @Test("there is a connection within the connect timeout, fractions of a second too, or the task fails")
    func connect() throws {
        let scene = try Scene(configure: { $0.connectTimeout = 0.5 }) { _, _ in [.phase(.connecting), .wait(Latch())] }
        let task = try scene.add()
        scene.transport.run()
        scene.pass(0.5)
        #expect(task.life.snapshot.outcome == nil)
        scene.pass(0.1)
        #expect(error(task) == .timeout)
    }

    @Test("a server that is silent before its head is given up after the idle timeout")
    func silent() throws {
        let scene = try Scene(configure: { $0.idleTimeout = 0.5 }) { _, _ in [.phase(.waiting), .wait(Latch())] }
        let task = try scene.add()
        scene.transport.run()
        scene.pass(0.5)
        #expect(task.life.snapshot.outcome == nil)
        scene.pass(0.2)
        #expect(error(task) == .timeout)
    }

    @Test("without phases from the transport, the longer of both timeouts counts before the head")
    func withoutPhases() throws {
        let scene = try Scene(
            capabilities: [],
            configure: {
                $0.idleTimeout = 0.5
                $0.connectTimeout = 2
            },
            { _, _ in [.wait(Latch())] })
        let task = try scene.add()
        scene.pass(2)
        #expect(task.life.snapshot.outcome == nil)
        scene.pass(0.2)
        #expect(error(task) == .timeout)
    }

    @Test("a dead stream is given up after the idle timeout, on the last byte too", arguments: [0, 1, 5, 9])
    func stalled(_ count: Int) throws {
        let scene = try Scene(configure: { $0.idleTimeout = 1.5 }) { _, _ in
            [.whole(10)] + (count > 0 ? [.body([UInt8](repeating: 1, count: count))] : []) + [.wait(Latch())]
        }
        let task = try scene.add()
        scene.transport.run()
        scene.pass(1.4)
        #expect(task.life.snapshot.outcome == nil)
        scene.pass(0.3)
        #expect(error(task) == .stalled && task.life.snapshot.progress.received == Int64(count))
    }

    @Test("a slow trickle lives, however long it takes")
    func trickle() async throws {
        let latches = (0..<50).map { _ in Latch() }
        let scene = try Scene(
            configure: {
                $0.idleTimeout = 0.5
                $0.connectTimeout = 0.5
            },
            { _, _ in [.whole(50)] + latches.flatMap { [.wait($0), .body([1])] } })
        let task = try scene.add()
        scene.transport.run()
        for latch in latches {
            scene.pass(0.4)
            latch.open()
            scene.transport.run()
        }
        #expect(task.life.snapshot.outcome?.isCompleted == true)
    }

    @Test("a tick that looked at the clock before an exchange began does not take it for overdue")
    func early() throws {
        let clock = JumpingClock()
        let transport = ScriptedTransport(.stepped) { _, _ in [.wait(Latch())] }
        let session = try Session(
            transport: transport, configuration: SessionConfiguration(in: try Folder()), clock: clock)
        try session.add(TransferRequest("http://h.test/a"))
        let late = Slot()
        clock.jump {
            clock.base.advance(by: 10)
            late.task = try? session.add(TransferRequest("http://h.test/b"))
        }
        clock.base.advance(by: 0.1)
        transport.run()
        #expect(transport.record.requests.count == 2 && late.task?.life.snapshot.state == .running)
    }
}

/// A clock on which something happens right after someone has looked at it.
private final class JumpingClock: SessionClock {
    let base = ManualClock()
    private let jump = Mutex<(@Sendable () -> Void)?>(nil)

    var now: UInt64 {
        let now = base.now
        jump.withLock { $0.take() }?()
        return now
    }
    var wall: Int64 { base.wall }

    func schedule(at instant: UInt64, _ body: @escaping @Sendable () -> Void) { base.schedule(at: instant, body) }

    func jump(_ body: @escaping @Sendable () -> Void) { jump.withLock { $0 = body } }
}
