/// A clock that moves when a test says so.
public final class ManualClock: Sendable {
    fileprivate struct Timer: Sendable {
        let instant: UInt64
        let body: @Sendable () -> Void
    }

    fileprivate struct State: Sendable {
        var now: UInt64
        var wall: Int64
        var timers: [Timer] = []  // by instant, then as they were scheduled
    }

    private let state: Shared<State>

    /// A clock that stands still at `now` nanoseconds, `wall` microseconds since 1970-01-01 UTC.
    public init(now: UInt64 = 1_000_000_000, wall: Int64 = 1_767_225_600_000_000) {
        state = Shared(State(now: now, wall: wall))
    }

    /// Nanoseconds on a monotonic clock.
    public var now: UInt64 { state.value.now }

    /// Microseconds since 1970-01-01 UTC.
    public var wall: Int64 { state.value.wall }

    /// How many bodies wait for their time.
    public var scheduled: Int { state.value.timers.count }

    /// When the next body is due; nil when none is scheduled.
    public var nextInstant: UInt64? { state.value.timers.first?.instant }

    /// Keeps `body` until the clock reaches `instant`; for an instant in the past, until it is advanced at all.
    public func schedule(at instant: UInt64, _ body: @escaping @Sendable () -> Void) {
        state.change { state in
            let place = state.timers.firstIndex { $0.instant > instant } ?? state.timers.endIndex
            state.timers.insert(Timer(instant: instant, body: body), at: place)
        }
    }

    /// Returns as soon as so many bodies wait for their time.
    public func untilScheduled(_ count: Int) async { await state.until { $0.timers.count >= count } }

    /// Moves on by so many seconds, and runs every body that falls due, in order, on this thread.
    ///
    /// Each body sees the instant it was scheduled for as `now`; what it schedules runs too if it is due. Call it on
    /// one thread at a time, and not from a body.
    public func advance(by seconds: Double) {
        precondition(seconds >= 0 && seconds < 1e9, "a clock goes forward")
        let end = now + UInt64((seconds * 1e9).rounded())
        while let body = state.change({ $0.popDue(by: end) }) { body() }
        state.change { $0.move(to: end) }
    }
}

extension ManualClock.State {
    fileprivate mutating func popDue(by end: UInt64) -> (@Sendable () -> Void)? {
        guard let first = timers.first, first.instant <= end else { return nil }
        timers.removeFirst()
        move(to: first.instant)
        return first.body
    }

    /// Both times move together; neither goes back.
    fileprivate mutating func move(to instant: UInt64) {
        guard instant > now else { return }
        wall += Int64(instant / 1000) - Int64(now / 1000)
        now = instant
    }
}
