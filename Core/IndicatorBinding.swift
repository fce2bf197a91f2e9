/// The tie between one indicator and at most one task.
///
/// It is owned by the indicator, knows the task weakly, and its release ends the observation.
public final class IndicatorBinding: Sendable {
    private let relay = IndicatorRelay()

    /// Bound to nothing.
    public init() {}

    deinit { relay.follow(nil, nil, stopping: false) }

    /// Forgets the task and, unless the animation is to be left as it is, stops the indicator.
    ///
    /// The stop comes the way of all the indicator's calls; an indicator that was never bound gets none.
    public func unbind(leavingAnimation: Bool = false) {
        relay.follow(nil, nil, stopping: !leavingAnimation)
        relay.deliver()
    }

    /// Follows `task` for an indicator isolated to an actor other than the main one.
    ///
    /// `deliver` runs on its own actor and performs every call it is given; `progress` asks for progress too.
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

    func deliver() { relay.deliver() }
    @MainActor func deliverOnMain() { relay.deliverOnMain() }
}
