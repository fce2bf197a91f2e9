import Dispatch
import Glibc

/// Time as a session sees it; injected, so that tests decide what time it is.
public protocol SessionClock: Sendable {
    /// Nanoseconds on a monotonic clock.
    var now: UInt64 { get }
    /// Microseconds since 1970-01-01 UTC.
    var wall: Int64 { get }
    /// Runs `body` once, at `instant` (as of `now`) or soon after, on a thread of the clock's.
    func schedule(at instant: UInt64, _ body: @escaping @Sendable () -> Void)
}

/// The machine's clocks.
public struct SystemClock: SessionClock {
    private let queue = DispatchQueue(label: "whirl.clock")

    /// A clock with a thread of its own.
    public init() {}

    /// Nanoseconds since some moment before the process began.
    public var now: UInt64 { read(CLOCK_MONOTONIC) }

    /// Microseconds since 1970-01-01 UTC.
    public var wall: Int64 { Int64(read(CLOCK_REALTIME) / 1000) }

    /// Runs `body` on the clock's thread, one at a time.
    public func schedule(at instant: UInt64, _ body: @escaping @Sendable () -> Void) {
        queue.asyncAfter(deadline: DispatchTime(uptimeNanoseconds: instant), execute: body)
    }

    private func read(_ clock: clockid_t) -> UInt64 {
        var time = timespec()
        unsafe clock_gettime(clock, &time)
        return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
    }
}
