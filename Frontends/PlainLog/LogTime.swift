import WhirlBoard
import WhirlCore

/// What stands at the beginning of a line.
public enum LogTime: String, CaseIterable, Sendable {
    /// The time of day in UTC, such as `2026-11-30T01:44:57Z`.
    case utc
    /// Seconds since the run began, such as `+77.3s`.
    case relative
}

/// A moment of a run on both clocks.
struct LogMoment {
    /// Seconds since the run began.
    var elapsed: Double
    /// Microseconds since 1970.
    var time: Int64

    /// The same moment and some seconds.
    func after(_ seconds: Double) -> LogMoment {
        LogMoment(elapsed: elapsed + seconds, time: time + Int64(seconds * 1e6))
    }

    func text(_ kind: LogTime) -> String {
        switch kind {
        case .utc: return Timestamp(time).seconds
        case .relative:
            let tenths = Int64((max(0, min(elapsed, 1e12)) * 10).rounded())
            return "+\(tenths / 10).\(tenths % 10)s"
        }
    }
}
