/// What a person or a program asks of a run.
public enum RunCommand: Equatable, Sendable {
    /// Stop the task for a while.
    case suspend(TaskID)
    /// Let the task run.
    case resume(TaskID)
    /// Let all tasks run that are paused, and those that are still to come.
    case resumeAll
    /// End the task.
    case cancel(TaskID)
    /// Fetch once more what a task that failed was to fetch, as a new task; the failure counts no longer.
    case retry(TaskID)
    /// How many tasks may run at once from now on, from 1.
    case setJobs(Int)
    /// How many body bytes may pass per second from now on, from 1; nil: any number.
    case setRate(Int64?)
    /// Nothing more starts: what runs may end, the rest is cancelled with the reason `drain`.
    case drain
    /// Cancels all that is unfinished; `reason` is that of their `cancelled`.
    case quit(reason: String)
}
