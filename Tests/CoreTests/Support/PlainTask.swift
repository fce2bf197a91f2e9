import WhirlCore

/// A task with no transport: all that happens to it, its end too, is up to the test.
final class PlainTask: TransferTask {
    let core: TaskCore

    init(_ core: TaskCore = TaskCore()) { self.core = core }

    var life: TaskLife { core.life }
    func resume() { core.resume() }
    func suspend() { core.suspend() }
    func cancel() { core.cancel() }
}

extension TaskOutcome {
    static let done = TaskOutcome.completed(TaskCompletion(status: 200))
    static let lost = TaskOutcome.failed(TransferError(.reset, "the connection was lost"))
    static let ended = TaskOutcome.cancelled(reason: "user")
}
