/// A moment as RFC 3339 has it, in UTC.
public struct Timestamp: Sendable {
    /// Whole seconds, such as `2026-11-30T01:44:57Z`.
    public var seconds: String { date + "Z" }
    /// To the millisecond, such as `2026-11-30T01:44:57.012Z`.
    public var milliseconds: String {
        let digits = String(micros / 1000)
        return date + "." + String(repeating: "0", count: 3 - digits.utf8.count) + digits + "Z"
    }
    private let date: String
    private let micros: Int64

    /// A moment in microseconds since 1970, of the years 0 to 9999; others are taken as the nearest.
    public init(_ time: Int64) {
        let time = min(max(time, -62_167_219_200_000_000), 253_402_300_799_999_999)
        let (days, inDay) = Self.divide(time, 86_400_000_000)
        let seconds = inDay / 1_000_000
        micros = inDay % 1_000_000
        date =
            Self.day(days) + "T" + Self.two(seconds / 3600) + ":" + Self.two(seconds / 60 % 60) + ":"
            + Self.two(seconds % 60)
    }

    /// Days since 1970 as a date of the proleptic Gregorian calendar: eras of 400 years that begin in March.
    private static func day(_ days: Int64) -> String {
        let (era, dayOfEra) = divide(days + 719_468, 146_097)
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shifted = (5 * dayOfYear + 2) / 153
        let day = dayOfYear - (153 * shifted + 2) / 5 + 1
        let month = shifted < 10 ? shifted + 3 : shifted - 9
        let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        return two(year / 100) + two(year % 100) + "-" + two(month) + "-" + two(day)
    }

    private static func divide(_ number: Int64, _ by: Int64) -> (Int64, Int64) {
        let rest = number % by
        return rest < 0 ? (number / by - 1, rest + by) : (number / by, rest)
    }

    private static func two(_ number: Int64) -> String { number < 10 ? "0\(number)" : String(number) }
}
