import WhirlCore

/// A task of the embedder's own: "moves" a number of blocks, one whenever it is told to.
final class CopyTask: TransferTask {
    private let core = TaskCore()
    private let total: Int64

    init(blocks: Int64) { total = blocks }

    var life: TaskLife { core.life }

    func resume() {
        guard core.resume() else { return }
        if core.snapshot.attempt == 0 { core.beginAttempt() }
    }

    func suspend() { core.suspend() }

    func cancel() {
        guard core.cancel() else { return }
        core.end(.cancelled(reason: "user"))
    }

    /// Moves one block, and completes with the last.
    func step() {
        let now = core.snapshot
        guard now.state == .running else { return }
        core.report(received: now.progress.received + 1, total: total)
        if now.progress.received + 1 == total { core.end(.completed(TaskCompletion())) }
    }
}
