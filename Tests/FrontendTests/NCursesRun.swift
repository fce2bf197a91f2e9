#if NCurses
import Synchronization
import WhirlBoard
import WhirlCore

@testable import WhirlNCurses

/// A run of tasks that move when they are told to, shown by a dashboard on a test's terminal.
final class TestRun: Sendable {
    final class Job: TransferTask {
        let core = TaskCore()
        let name: String

        init(_ name: String) { self.name = name }

        var life: TaskLife { core.life }
        func resume() { core.resume() }
        func suspend() { core.suspend() }
        func cancel() { if core.cancel() { core.end(.cancelled(reason: "user")) } }
    }

    let dashboard: Dashboard
    let jobs: [Job]
    let commands: AsyncStream<RunCommand>
    private let continuation: AsyncStream<RunCommand>.Continuation
    private let observations = Mutex<[Observation]>([])

    convenience init(
        _ terminal: TestTerminal, _ names: [String], type: String = "xterm-256color", standardError: Int32 = -1
    ) throws {
        try self.init(names, Self.settings(terminal, type, standardError))
    }

    init(_ names: [String], _ settings: DashboardSettings) throws {
        dashboard = try Dashboard(settings)
        jobs = names.map(Job.init)
        (commands, continuation) = AsyncStream.makeStream()
    }

    static func settings(_ terminal: TestTerminal, _ type: String?, _ standardError: Int32 = -1) -> DashboardSettings {
        var settings = DashboardSettings(environment: [:])
        settings.path = terminal.path
        settings.type = type
        settings.standardError = standardError
        settings.delay = 0
        return settings
    }

    /// Shows the tasks, all of which wait for a slot.
    func open() throws {
        try dashboard.open { [continuation] in continuation.yield($0) }
        tell(.run(RunDescription(version: "1", transport: "test", jobs: 8)))
        for job in jobs {
            let description = TaskDescription(url: "https://h/\(job.name)", destination: "out/\(job.name)", key: "")
            tell(.created(job.core.id, description))
        }
    }

    /// Gives the task a slot.
    func begin(_ job: Job) {
        dashboard.follow(job)
        let id = job.core.id
        let observation = job.life.observe { [weak self] update in
            if update.event != nil { self?.tell(.task(id, update)) }
        }
        observations.withLock { $0.append(observation) }
        job.resume()
        job.core.beginAttempt()
    }

    func tell(_ event: RunEvent) { dashboard.receive(RunRecord(elapsed: 0, time: 0, event: event)) }

    @discardableResult func close() -> FrontendTrouble? {
        tell(.end(RunSummary()))
        return dashboard.close()
    }
}
#endif
