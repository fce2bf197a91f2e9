import Synchronization

/// The time of a run that is replayed: what its frontends take for now.
///
/// It goes on at a speed, but never past the record that is due next, so that each is shown at its own time.
final class ReplayClock: Sendable {
    private struct State {
        var shown: UInt64
        var anchor: UInt64
        /// Where it waits for the next record; nil while nobody knows when that is.
        var limit: UInt64?
    }
    /// Seconds of the run in one of ours; 0: it moves by records alone.
    let speed: Double
    private let real: @Sendable () -> UInt64
    private let began: UInt64
    private let state: Mutex<State>

    /// A clock that begins now; `real` gives monotonic nanoseconds.
    init(speed: Double, real: @escaping @Sendable () -> UInt64) {
        self.speed = speed
        self.real = real
        began = real()
        state = Mutex(State(shown: began, anchor: began, limit: nil))
    }

    /// Monotonic nanoseconds of the run.
    var now: UInt64 { state.withLock { now(of: $0) } }

    private func now(of state: State) -> UInt64 {
        let passed = Double(real() &- state.anchor) * speed
        let now = state.shown &+ UInt64(max(0, min(passed, 1e18)))
        return state.limit.map { min(now, max($0, state.shown)) } ?? now
    }

    /// The next record is due at those seconds of the run: returns for how many of ours to wait.
    func wait(for elapsed: Double) -> Double {
        guard speed > 0 else { return 0 }
        let due = moment(elapsed)
        return state.withLock { state in
            state.limit = due
            let now = now(of: state)
            return due > now ? Double(due - now) / 1e9 / speed : 0
        }
    }

    /// The record of those seconds is here, early or late.
    func arrive(at elapsed: Double) {
        let due = moment(elapsed)
        state.withLock { state in
            state = State(shown: max(now(of: state), due), anchor: real(), limit: nil)
        }
    }

    private func moment(_ elapsed: Double) -> UInt64 { began &+ UInt64(max(0, min(elapsed, 1e9)) * 1e9) }
}
