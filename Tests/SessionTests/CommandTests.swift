import Synchronization
import Testing
import WhirlCore
import WhirlInMemory
import WhirlLoopback

@testable import WhirlSession

@Suite("Commands of a program", .timeLimit(.minutes(1))) struct CommandTests {
    /// A frontend that does something as soon as a task is told of.
    private final class Eager: Frontend {
        private let commands = Mutex<(@Sendable (RunCommand) -> Void)?>(nil)
        private let act: @Sendable (TaskID) -> [RunCommand]

        init(_ act: @escaping @Sendable (TaskID) -> [RunCommand]) { self.act = act }

        func open(_ commands: @escaping @Sendable (RunCommand) -> Void) { self.commands.withLock { $0 = commands } }
        func follow(_ task: any TransferTask) {}
        func close() -> FrontendTrouble? { nil }

        func receive(_ record: RunRecord) {
            guard case .created(let id, _) = record.event, let send = commands.withLock({ $0 }) else { return }
            for command in act(id) { send(command) }
        }
    }

    private static func body(_ count: Int, pieces: Int = 10) -> [Step] {
        [.whole(count * pieces)] + Array(repeating: .body([UInt8](repeating: 1, count: count)), count: pieces)
    }

    private static let endless: [Step] = [.whole(5), .wait(Latch())]

    @Test("that come as soon as a task is told of are not lost", arguments: [false, true])
    func early(_ startsPaused: Bool) throws {
        let eager = Eager { startsPaused ? [.resume($0)] : [.suspend($0)] }
        let scene = try Scene(configure: { $0.startsPaused = startsPaused }, frontends: [eager]) { _, _ in
            Self.body(10)
        }
        let task = try scene.add()
        scene.transport.run()
        #expect(task.life.snapshot.outcome?.isCompleted == (startsPaused ? true : nil))
        #expect(task.life.snapshot.state == (startsPaused ? .completed : .suspended))
        task.resume()
        scene.transport.run()
        #expect(task.life.snapshot.outcome?.isCompleted == true)
    }

    @Test("may cancel a task that is just told of: it ends once, after it was created")
    func earlyCancel() throws {
        let scene = try Scene(frontends: [Eager { [.cancel($0), .resume($0), .cancel($0)] }]) { _, _ in Self.body(10) }
        let task = try scene.add()
        scene.transport.run()
        #expect(task.life.snapshot.outcome == .cancelled(reason: "user"))
        #expect(scene.recorder.events(of: task.life.id).last == .ended(.cancelled(reason: "user")))
    }

    @Test("knows the tasks it has accepted, ended or not, and those that have not ended")
    func known() throws {
        let scene = try Scene { _, number in number == 0 ? .failure(TransferError(.certificate, "no")) : Self.endless }
        #expect(!scene.session.knows(TaskID(number: 1)) && scene.session.unfinished.isEmpty)
        let (first, second) = (try scene.add("/a"), try scene.add("/b"))
        scene.transport.run()
        #expect(scene.session.knows(first.life.id) && scene.session.knows(second.life.id))
        #expect(!scene.session.knows(TaskID(number: second.life.id.number + 1_000_000)))
        #expect(scene.session.unfinished == [second.life.id] && scene.session.failures == [first.life.id])
        #expect(!scene.session.isPaused && !scene.session.isClosing)
        second.suspend()
        #expect(scene.session.isPaused)
        scene.session.perform(.drain)
        #expect(scene.session.isClosing && scene.session.unfinished.isEmpty)
    }

    @Test("resumes all tasks that are paused, and those that come later in a run that was started paused")
    func resumesAll() throws {
        let scene = try Scene(configure: { $0.startsPaused = true }) { _, _ in Self.endless }
        #expect(scene.session.isPaused)
        let first = try scene.add("/a")
        #expect(first.life.snapshot.state == .suspended && scene.session.isPaused)
        scene.session.perform(.resumeAll)
        let second = try scene.add("/b")
        scene.transport.run()
        for task in [first, second] { #expect(task.life.snapshot.state == .running) }
        #expect(!scene.session.isPaused)
        second.suspend()
        #expect(scene.session.isPaused)
    }

    @Test("names those that wait before those that run")
    func order() throws {
        let scene = try Scene(configure: { $0.jobs = 1 }) { _, _ in Self.endless }
        let (runs, waits) = (try scene.add("/a"), try scene.add("/b"))
        scene.transport.run()
        #expect(scene.session.unfinished == [waits.life.id, runs.life.id])
    }

    @Test("may set a rate in mid-transfer, another, and none")
    func rate() throws {
        let scene = try Scene { _, _ in Self.body(1000, pieces: 100) }
        let task = try scene.add()
        scene.session.perform(.setRate(1000))
        scene.transport.run()
        scene.pass(5)
        let slow = task.life.snapshot.progress.received
        #expect((4000...8000).contains(slow), "\(slow)")
        scene.session.perform(.setRate(10_000))
        scene.transport.run()
        scene.pass(3)
        let more = task.life.snapshot.progress.received - slow
        #expect((25_000...35_000).contains(more), "\(more)")
        scene.session.perform(.setRate(nil))
        scene.transport.run()
        #expect(task.life.snapshot.outcome?.isCompleted == true)
    }

    @Test("that set a rate are no use over a transport that can't hold back, and do no harm")
    func noRate() throws {
        let scene = try Scene(capabilities: []) { _, _ in Self.body(10) }
        scene.session.perform(.setRate(1))
        let task = try scene.add()
        scene.transport.run()
        #expect(task.life.snapshot.outcome?.isCompleted == true)
    }

    @Test("are too late when the run is over: nothing is accepted, and a failure stays one")
    func late() async throws {
        let scene = try Scene { _, _ in .failure(TransferError(.certificate, "no")) }
        let task = try scene.add()
        scene.transport.run()
        let summary = await scene.session.finish().summary
        #expect(summary.failed == 1 && summary.exit == 1)
        scene.session.perform(.retry(task.life.id))
        scene.session.answer(CommandAnswer(id: nil))
        #expect(throws: TransferError(.usage, "the run is over; start another")) { try scene.add("/b") }
        #expect(scene.recorder.records.count { if case .created = $0.event { true } else { false } } == 1)
    }
}
