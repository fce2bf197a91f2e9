/// Something a task's updates are put into: an observer, a sequence, a binding.
protocol UpdateSink: AnyObject, Sendable {
    /// Stores one update; false when it is not interested.
    ///
    /// Called under the task's lock: calls nothing of strangers, releases nothing that may run their code.
    func accept(_ update: TaskUpdate, generation: UInt64) -> Bool
    /// Delivers what is stored, unless someone is doing so; called with no lock held.
    func deliver()
    /// Never runs code of strangers that may block on the poster's thread; told before the others.
    var isPrompt: Bool { get }
}
