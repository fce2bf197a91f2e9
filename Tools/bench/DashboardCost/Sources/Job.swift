import WhirlCore
import WhirlNCurses

/// A task that is moved by hand: without a transport, what is measured is the dashboard's.
final class Job: TransferTask {
    let core = TaskCore()
    private let dashboard: Dashboard
    private let total: Int64
    private let observation: Observation

    init(_ number: Int, on dashboard: Dashboard) {
        self.dashboard = dashboard
        total = 40_000_000 + Int64(number) * 1000
        let id = core.id
        let name = "directory-\(number / 100)/some-file-with-a-name-\(number).tar.gz"
        let description = TaskDescription(
            url: "https://host-\(number % 50).example.org/\(name)", destination: name, key: "")
        dashboard.tell(.created(id, description))
        observation = core.life.observe { update in
            if update.event != nil { dashboard.tell(.task(id, update)) }
        }
    }

    var life: TaskLife { core.life }
    func resume() { core.resume() }
    func suspend() { core.suspend() }
    func cancel() {}

    /// Gets a slot and begins.
    func begin() {
        dashboard.follow(self)
        resume()
        core.beginAttempt()
    }

    /// Receives some bytes; true when that was all.
    func advance(by bytes: Int64) -> Bool {
        let received = min(core.snapshot.progress.received + bytes, total)
        core.report(received: received, total: total)
        guard received == total else { return false }
        core.end(.completed(TaskCompletion(status: 200)))
        return true
    }
}

extension Dashboard {
    func tell(_ event: RunEvent) { receive(RunRecord(elapsed: 0, time: 0, event: event)) }
}
