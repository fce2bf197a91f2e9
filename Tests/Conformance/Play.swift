import Synchronization
import WhirlCore

/// A run without a session: tasks that do as they are told, shown by a frontend.
final class Play: Sendable {
    /// One of its tasks.
    final class Part: TransferTask {
        let core = TaskCore()
        var life: TaskLife { core.life }
        func resume() { core.resume() }
        func suspend() { core.suspend() }
        func cancel() { core.cancel() }
    }

    let show: FrontendSubject.Show
    private let observations = Mutex<[Observation]>([])

    init(_ show: FrontendSubject.Show) throws {
        self.show = show
        try show.frontend.open { _ in }
        show.begin()
        tell(.run(RunDescription(version: "0.1.0", transport: "none", jobs: 8)))
    }

    func tell(_ event: RunEvent) {
        show.frontend.receive(RunRecord(elapsed: 1, time: 1_796_003_097_000_000, event: event))
    }

    /// A task that runs.
    func start(_ name: String, url: String = "https://example.org/a") -> Part {
        let part = Part()
        tell(.created(part.core.id, TaskDescription(url: url, destination: "out/" + name, key: name)))
        let observation = part.life.observe { [self] update in
            if update.event != nil { tell(.task(part.core.id, update)) }
        }
        observations.withLock { $0.append(observation) }
        show.frontend.follow(part)
        part.resume()
        part.core.beginAttempt()
        return part
    }

    func end() -> FrontendTrouble? {
        tell(.end(RunSummary()))
        return show.frontend.close()
    }
}
