import Synchronization
public import WhirlCore

/// A clock that stands still until a test moves it.
public final class ManualClock: ActivityClock {
    private struct Due {
        let instant: UInt64
        let body: @Sendable () -> Void
    }
    private struct State {
        var now: UInt64
        var due: [Due] = []

        /// The earliest of what is due by `limit`; of equals the one that was scheduled first.
        mutating func next(by limit: UInt64) -> Due? {
            var first: Int?
            for (index, each) in due.enumerated() where each.instant < first.map({ due[$0].instant }) ?? .max {
                first = index
            }
            guard let first, due[first].instant <= limit else { return nil }
            now = max(now, due[first].instant)
            return due.remove(at: first)
        }
    }
    private static let start: UInt64 = 1_000_000_000
    private let state = Mutex(State(now: start))
    private let epoch: Int64

    /// A clock that shows `wall`, in microseconds since 1970-01-01 UTC.
    public init(wall: Int64 = 1_767_225_600_000_000) { epoch = wall }

    /// Nanoseconds on a monotonic clock.
    public var now: UInt64 { state.withLock { $0.now } }
    /// Microseconds since 1970-01-01 UTC.
    public var wall: Int64 { epoch + Int64((now - Self.start) / 1000) }
    /// How many bodies wait for their time.
    public var scheduled: Int { state.withLock { $0.due.count } }

    /// Runs `body` once, when the clock is moved to `instant` or beyond, on the thread that moves it.
    public func schedule(at instant: UInt64, _ body: @escaping @Sendable () -> Void) {
        state.withLock { $0.due.append(Due(instant: instant, body: body)) }
    }

    /// Moves the clock by `seconds`, running on the way what is due, in order, also what that schedules.
    ///
    /// One thread at a time.
    public func advance(by seconds: Double) {
        let goal = now + UInt64((seconds * 1e9).rounded())
        while let due = state.withLock({ $0.next(by: goal) }) { due.body() }
        state.withLock { $0.now = max($0.now, goal) }
    }
}
