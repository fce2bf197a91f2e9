/// Something a task's updates are put into: an observer, a sequence, a binding.
protocol UpdateSink: AnyObject, Sendable {
    /// Takes one update; `handsOver`: the poster can deliver it at once.
    ///
    /// Called under the task's lock: calls nothing of strangers, releases nothing that may run their code.
    func accept(_ update: TaskUpdate, generation: UInt64, handsOver: Bool) -> Acceptance
    /// Delivers what is stored, unless someone is doing so; called with no lock held.
    func deliver()
    /// Never runs code of strangers that may block on the poster's thread; told before the others.
    var isPrompt: Bool { get }
}

/// What became of an update that was given to a sink; moved, never copied, as it may hold the update.
enum Acceptance: ~Copyable {
    /// The sink is not interested, in this and in later ones.
    case refused
    /// It waits for `deliver()`.
    case stored
    /// Nothing waits before it, and the poster has the turn: it makes the call itself, which costs no queue.
    case turn(InboxTurn)
}
