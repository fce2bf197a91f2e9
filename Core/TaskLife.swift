/// The reading end of a task.
public struct TaskLife: Sendable {
    let core: TaskCore

    /// The task's name.
    public var id: TaskID { core.id }
    /// The task as it is now.
    public var snapshot: TaskSnapshot { core.snapshot }

    /// Calls `handler` with the task as it is now, on this thread and before returning, then with every later update,
    /// until the terminal one, `cancel()`, or the release of the observation.
    ///
    /// - Calls are serial and in order, with no gap and no repeat; they come on the thread that made the event.
    /// - Progress right after progress may be merged into the newest.
    /// - Nothing is lost when the observation is made while the task changes.
    public func observe(_ handler: @escaping @Sendable (TaskUpdate) -> Void) -> Observation {
        let inbox = Inbox(handler)
        core.attach(inbox, generation: 0)
        inbox.deliverFirst()
        return Observation(inbox: inbox, core: core)
    }

    /// The task as it is now, then every later update, until the terminal one.
    ///
    /// Each iterator has its own view.
    public var updates: TaskUpdates { TaskUpdates(core: core) }
}
