import WhirlCore

/// A task of a recorded run: it does what its records say, and nothing that is asked of it.
final class ReplayedTask: TransferTask {
    let core: TaskCore
    var life: TaskLife { core.life }

    init(_ id: TaskID) { core = TaskCore(replaying: id) }

    func resume() {}
    func suspend() {}
    func cancel() {}
}
