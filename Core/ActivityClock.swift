/// Time for what waits, injected: Core has no clock of its own.
public protocol ActivityClock: Sendable {
    /// Nanoseconds on a monotonic clock.
    var now: UInt64 { get }
    /// Runs `body` once, at `instant` (as of `now`) or soon after; never before this returns.
    func schedule(at instant: UInt64, _ body: @escaping @Sendable () -> Void)
}
