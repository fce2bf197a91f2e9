public import WhirlCore

/// A task without a transfer: a test moves it through its `core`.
public final class BareTask: TransferTask {
    /// The writing end.
    public let core = TaskCore()

    /// A task that is suspended.
    public init() {}

    /// What happened to it.
    public var life: TaskLife { core.life }
    /// Runs it at once.
    public func resume() { core.resume() }
    /// Suspends it at once.
    public func suspend() { core.suspend() }
    /// Ends it at once.
    public func cancel() {
        core.cancel()
        core.end(.cancelled(reason: "user"))
    }
}
