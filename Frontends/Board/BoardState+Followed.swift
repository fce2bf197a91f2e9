import WhirlCore

/// The tasks that a board follows: each by the task itself until somebody looks, and by the row's handle from then on.
extension Board.State {
    /// Either of the two.
    struct Followed {
        var task: (any TransferTask)?
        var handle: RowHandle?

        /// The head of the task's newest answer.
        var answer: ResponseHead? { task?.answer ?? handle?.answer }
    }

    /// Returns the handle that is no longer needed.
    mutating func follow(_ task: any TransferTask, _ id: TaskID) -> RowHandle? {
        guard let entry = unfinished(id) else { return nil }
        entry.task = task
        return handles.removeValue(forKey: id)
    }

    func followed(_ id: TaskID) -> Followed { Followed(task: task(id), handle: handles[id]) }

    /// The running tasks, or the one, that have no handle yet.
    func withoutHandle(_ id: TaskID?) -> [any TransferTask] {
        guard let id else { return lanes[RowGroup.active.rawValue].all.compactMap { entries[$0]?.task } }
        return task(id).map { [$0] } ?? []
    }

    private func task(_ id: TaskID) -> (any TransferTask)? { slots[id].flatMap { entries[$0] }?.task }

    private func unfinished(_ id: TaskID) -> Entry? {
        slots[id].flatMap { entries[$0] }.flatMap { $0.bare.outcome == nil ? $0 : nil }
    }

    /// False when the task has ended, or has a handle.
    mutating func keep(_ handle: RowHandle, _ id: TaskID) -> Bool {
        guard let entry = unfinished(id), handles[id] == nil else { return false }
        entry.task = nil
        handles[id] = handle
        return true
    }

    /// Nil when nobody need ask or release it outside the lock.
    mutating func unfollow(_ entry: Entry, _ id: TaskID) -> Followed? {
        let handle = handles.isEmpty ? nil : handles.removeValue(forKey: id)
        let task = remembers ? entry.task : nil
        entry.task = nil
        return handle == nil && task == nil ? nil : Followed(task: task, handle: handle)
    }
}
