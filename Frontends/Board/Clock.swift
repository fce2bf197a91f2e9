import Glibc

/// Nanoseconds on the clock that rates are measured by: monotonic, and at rest while the machine sleeps.
public func monotonicNanoseconds() -> UInt64 {
    var time = timespec()
    unsafe clock_gettime(CLOCK_MONOTONIC, &time)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
}

/// The seconds from one moment to a later one; 0 when it is not later: two threads may bring theirs out of order.
public func seconds(from one: UInt64, to other: UInt64) -> Double {
    other > one ? Double(other - one) / 1e9 : 0
}
