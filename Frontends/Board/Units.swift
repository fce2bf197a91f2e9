/// Numbers as people read them: short, capped, and never a trap, whatever the number is.
public enum Units {
    private static let names = ["B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"]
    /// Longer than this many hours is "nobody can tell".
    private static let mostHours = 99

    /// A size such as `4.1GiB`; `gap` goes between number and unit.
    public static func bytes(_ count: Int64, gap: String = "") -> String {
        size(Double(max(0, count)), gap)
    }

    /// A speed such as `8.1MiB/s`; what is no number is 0.
    public static func rate(_ bytesPerSecond: Double, gap: String = "") -> String {
        size(bytesPerSecond, gap) + "/s"
    }

    private static func size(_ value: Double, _ gap: String) -> String {
        guard value > 0 else { return "0" + gap + names[0] }
        var value = min(value, 0x1p63)
        var unit = 0
        while value >= limit(unit), unit < names.count - 1 {
            value /= 1024
            unit += 1
        }
        let isWhole = unit == 0 || unit == 1 && value >= 9.95
        return (isWhole ? whole(value) : tenths(value)) + gap + names[unit]
    }

    /// From where on a value rounds up to 1024 of the unit.
    private static func limit(_ unit: Int) -> Double { unit < 2 ? 1023.5 : 1023.95 }

    private static func whole(_ value: Double) -> String { String(Int(value.rounded())) }

    private static func tenths(_ value: Double) -> String {
        let tenths = Int((value * 10).rounded())
        return "\(tenths / 10).\(tenths % 10)"
    }

    /// A duration such as `0.4s`, `58s`, `2m31s`, `1h02m`, `3d04h`; what is no number is `0.0s`.
    public static func duration(_ seconds: Double) -> String {
        guard seconds > 0 else { return "0.0s" }
        if seconds < 9.95 { return tenths(seconds) + "s" }
        let all = Int(min(seconds, 999 * 86400).rounded())
        let (days, hours, minutes) = (all / 86400, all / 3600 % 24, all / 60 % 60)
        if days > 0 { return "\(days)d\(two(hours))h" }
        if hours > 0 { return "\(hours)h\(two(minutes))m" }
        return minutes > 0 ? "\(minutes)m\(two(all % 60))s" : "\(all)s"
    }

    /// The time that remains, such as `04:31` or `1:02:03`; `--:--` when nobody can tell, or beyond 99 hours.
    public static func remaining(_ seconds: Double?) -> String {
        guard let seconds, seconds >= 0, seconds <= Double(mostHours * 3600) else { return "--:--" }
        return clock(Int(seconds.rounded(.up)))
    }

    /// A moment of a run, such as `00:03` or `1:02:03`; what is no number is the beginning.
    public static func clock(_ seconds: Double) -> String {
        clock(seconds > 0 ? Int(min(seconds, 1e7)) : 0)
    }

    private static func clock(_ seconds: Int) -> String {
        let tail = two(seconds / 60 % 60) + ":" + two(seconds % 60)
        return seconds < 3600 ? tail : "\(seconds / 3600):" + tail
    }

    /// Milliseconds such as `0.4ms`, `58ms`, or from a second on as a duration; what is no number is `0ms`.
    public static func milliseconds(_ milliseconds: Double) -> String {
        guard milliseconds > 0 else { return "0ms" }
        if milliseconds >= 999.5 { return duration(milliseconds / 1000) }
        return (milliseconds < 9.95 ? tenths(milliseconds) : whole(milliseconds)) + "ms"
    }

    /// A part in whole percent, such as `21%`; 100 only when all is done, `?%` when the total is unknown.
    public static func percent(_ fraction: Double?) -> String {
        guard let fraction, fraction >= 0 else { return "?%" }
        return "\(Int(min(fraction, 1) * 100))%"
    }

    private static func two(_ number: Int) -> String { number < 10 ? "0\(number)" : String(number) }
}
