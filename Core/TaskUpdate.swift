/// One delivery: what happened (nil: nothing, this is the first) and the task right after it.
public struct TaskUpdate: Equatable, Sendable {
    /// What happened; nil in the first delivery.
    public let event: TaskEvent?
    /// The task right after it.
    public let snapshot: TaskSnapshot

    /// True of the last one.
    public var isTerminal: Bool { snapshot.state == .completed }
}
