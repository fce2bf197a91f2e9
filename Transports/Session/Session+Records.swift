import Synchronization
import WhirlCore

extension Session {
    /// Gives a record to every frontend.
    func record(_ event: RunEvent) {
        guard !frontends.isEmpty else { return }
        // Whole microseconds, as a stream tells them: a replay of it counts as this run does.
        let elapsed = Double((clock.now &- began) / 1000) / 1e6
        let record = RunRecord(elapsed: elapsed, time: clock.wall, event: event)
        for frontend in frontends { frontend.receive(record) }
    }

    /// Says something that concerns no single task.
    public func warn(_ message: String) { record(.warning(message)) }

    /// What the one observer of a task does with its updates.
    func tell(_ task: SessionTask, _ update: TaskUpdate) {
        guard update.event != nil else { return }
        let id = task.id
        record(.task(id, update))
        guard let outcome = update.snapshot.outcome else { return }
        task.forgetObservation()
        let (rooms, idle) = state.withLock { state in
            state.count(outcome)
            if outcome.error != nil { state.keepFailure(task) }
            state.untold -= 1
            return (state.takeRoomWaiters(below: lowWater), state.takeIdleWaiter())
        }
        for each in rooms { each.resume() }
        idle?.resume()
    }
}
