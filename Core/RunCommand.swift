/// What a person or a program asks of a run.
public enum RunCommand: Equatable, Sendable {
    /// Stop the task for a while.
    case suspend(TaskID)
    /// Let the task run.
    case resume(TaskID)
    /// End the task.
    case cancel(TaskID)
    /// Cancels all that is unfinished; `reason` is that of their `cancelled`.
    case quit(reason: String)
}
