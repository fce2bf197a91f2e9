/// One delivery: what happened, and the task right after it.
public struct TaskUpdate: Equatable, Sendable {
    /// What happened; nil in the first delivery, which tells how things stand.
    public let event: TaskEvent?
    /// The task right after it.
    public let snapshot: TaskSnapshot

    /// True of the last one.
    public var isTerminal: Bool { snapshot.state == .completed }
}

extension TaskUpdate: Coalescing {
    var isProgress: Bool { if case .progress = event { true } else { false } }
}
