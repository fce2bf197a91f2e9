/// One transfer as people see it: from its creation to its one terminal event, over all attempts and pauses.
///
/// - `resume()`, `suspend()` and `cancel()` may be called from any thread, never block, and are no-ops when they do not
///   apply: twice in a row, or after the end. Nested suspends do not count: one resume runs the task.
/// - A new task is suspended.
public protocol TransferTask: AnyObject, Sendable {
    /// What has happened to the task, and how to be told of the rest.
    var life: TaskLife { get }

    /// The head of the newest answer, for showing; nil before there is one, and where nobody keeps it.
    var answer: ResponseHead? { get }

    /// Runs the task, at once or as soon as there is room for it.
    func resume()

    /// Stops the task for a while; what it has received is kept as far as the server allows.
    func suspend()

    /// Ends the task as cancelled, unless it has ended.
    func cancel()
}

extension TransferTask {
    /// By default nobody keeps it.
    public var answer: ResponseHead? { nil }
}
