public import WhirlCore

/// A task with no transport: whoever has it says what happens to it.
public final class BareTask: TransferTask {
    /// The writing end.
    public let core = TaskCore()

    /// A task that is suspended and has not begun.
    public init() {}

    /// What has happened to the task, and how to be told of the rest.
    public var life: TaskLife { core.life }

    /// Runs the task at once.
    public func resume() { core.resume() }

    /// Stops the task for a while.
    public func suspend() { core.suspend() }

    /// Asks for the end, which comes with `core.end`.
    public func cancel() { core.cancel() }
}
