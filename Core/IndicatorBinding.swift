/// The tie between one indicator and at most one task.
///
/// Owned by the indicator; its release ends the observation. It keeps neither alive.
public final class IndicatorBinding: Sendable {
    private let relay = IndicatorRelay()

    /// Bound to nothing.
    public init() {}

    deinit { relay.follow(nil, nil, stopping: false) }

    /// Forgets the task and, unless the animation is to be left as it is, stops the indicator.
    ///
    /// The stop comes as the indicator's other calls do: at once, or on its actor.
    public func unbind(leavingAnimation: Bool = false) {
        relay.follow(nil, nil, stopping: !leavingAnimation)
        relay.deliverNow()
    }

    /// Follows `task` for an indicator isolated to an actor other than the main one.
    ///
    /// `deliver` runs on that actor and performs every call it is given; let it hold the indicator weakly. `progress`
    /// asks for progress too.
    public func follow(
        _ task: (any TransferTask)?, progress: Bool = false,
        _ deliver: @escaping @isolated(any) @Sendable (IndicatorCalls) async -> Void
    ) {
        follow(task?.life.core, progress, .actor(deliver))
        self.deliver()
    }

    func follow(_ core: TaskCore?, _ progress: Bool, _ delivery: Delivery) {
        relay.follow(core, Audience(delivery: delivery, followsProgress: progress), stopping: core == nil)
    }

    func deliver() { relay.deliverNow() }
    @MainActor func deliverOnMain() { relay.deliverOnMain() }
}
