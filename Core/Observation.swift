/// One subscription to one task; released means cancelled.
public final class Observation: Sendable {
    private let inbox: Inbox
    private weak let core: TaskCore?

    init(inbox: Inbox, core: TaskCore) {
        self.inbox = inbox
        self.core = core
    }

    deinit { cancel() }

    /// Ends the observation, and releases the handler.
    ///
    /// When this returns, at most one call of the handler is still under way, on another thread; none follows it.
    public func cancel() {
        inbox.close()
        core?.detach(inbox, generation: 0)
    }
}
