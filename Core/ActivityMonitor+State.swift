extension ActivityMonitor {
    /// Which tasks run and what is shown of that: guarded by the monitor's lock.
    struct State {
        var activationDelay: Double
        var completionDelay: Double
        var isEnabled = true
        var running: Set<TaskID> = []
        var isVisible = false
        var observations: [TaskID: Observation] = [:]
        /// When `isVisible` changes if nothing else happens; nil: never.
        private var due: UInt64?
        /// When the clock will call; nil: it will not.
        var armed: UInt64?
        /// What was told last, and whether somebody is telling.
        private var isTold = false
        private var isTelling = false

        init(activationDelay: Double, completionDelay: Double) {
            self.activationDelay = activationDelay
            self.completionDelay = completionDelay
        }

        mutating func start(_ id: TaskID, at now: UInt64) {
            guard running.insert(id).inserted, running.count == 1 else { return }
            // On already: the end that was due is off.
            due = isVisible ? nil : later(now, activationDelay)
        }

        mutating func stop(_ id: TaskID, at now: UInt64) {
            guard running.remove(id) != nil, running.isEmpty else { return }
            due = isVisible ? later(now, completionDelay) : nil
        }

        mutating func enable(_ isEnabled: Bool, at now: UInt64) {
            guard isEnabled != self.isEnabled else { return }
            self.isEnabled = isEnabled
            isVisible = false
            due = isEnabled && !running.isEmpty ? later(now, activationDelay) : nil
        }

        /// The clock has called: only now does what is due happen, so that a start before a late call is no blink.
        mutating func ring(at now: UInt64) {
            guard let due, due <= now else { return }
            self.due = nil
            isVisible = !running.isEmpty
        }

        /// When to have the clock call; nil when it will in time, or need not.
        mutating func alarm() -> UInt64? {
            guard let due, armed.map({ $0 > due }) ?? true else { return nil }
            armed = due
            return due
        }

        /// The next value to tell, for whoever may begin or has begun; nil ends the telling.
        mutating func next(beginning: Bool) -> Bool? {
            if beginning, isTelling { return nil }
            isTelling = isTold != isVisible
            guard isTelling else { return nil }
            isTold = isVisible
            return isTold
        }

        private func later(_ now: UInt64, _ seconds: Double) -> UInt64? {
            guard isEnabled else { return nil }
            return now &+ UInt64(max(0, min(seconds, 1e9)) * 1e9)
        }
    }
}
