import WhirlSession

/// A clock that stands still: nothing is ever due.
struct StoppedClock: SessionClock {
    var now: UInt64 { 1 }
    var wall: Int64 { 0 }
    func schedule(at instant: UInt64, _ body: @escaping @Sendable () -> Void) {}
}
