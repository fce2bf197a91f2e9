extension Timestamp {
    /// Microseconds since 1970 of a moment as RFC 3339 has it, such as `2026-11-30T01:44:57.012Z`; nil for what is none.
    public static func micros(_ text: String) -> Int64? {
        var reader = Reader(text)
        guard let year = reader.number(4), reader.take("-"), let month = reader.number(2), reader.take("-"),
            let day = reader.number(2), reader.take("T") || reader.take("t") || reader.take(" "),
            let hour = reader.number(2), reader.take(":"), let minute = reader.number(2), reader.take(":"),
            let second = reader.number(2)
        else { return nil }
        guard (1...12).contains(month), (1...31).contains(day), hour < 24, minute < 60, second < 61 else { return nil }
        let fraction = reader.take(".") ? reader.fraction() : 0
        guard let fraction, let offset = reader.offset(), reader.isAtEnd else { return nil }
        let seconds = days(year, month, day) * 86400 + hour * 3600 + minute * 60 + second - offset
        return seconds * 1_000_000 + fraction
    }

    /// Days since 1970 of a date of the proleptic Gregorian calendar: eras of 400 years that begin in March.
    private static func days(_ year: Int64, _ month: Int64, _ day: Int64) -> Int64 {
        let year = month <= 2 ? year - 1 : year
        let era = (year >= 0 ? year : year - 399) / 400
        let yearOfEra = year - era * 400
        let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }

    private struct Reader {
        private var rest: Substring.UTF8View

        init(_ text: String) { rest = Substring(text).utf8 }

        var isAtEnd: Bool { rest.isEmpty }

        mutating func take(_ letter: Unicode.Scalar) -> Bool {
            guard rest.first == UInt8(ascii: letter) else { return false }
            rest.removeFirst()
            return true
        }

        private mutating func digit() -> Int64? {
            guard let byte = rest.first, (0x30...0x39).contains(byte) else { return nil }
            rest.removeFirst()
            return Int64(byte - 0x30)
        }

        /// A number of just so many digits.
        mutating func number(_ digits: Int) -> Int64? {
            var number: Int64 = 0
            for _ in 0..<digits {
                guard let digit = digit() else { return nil }
                number = number * 10 + digit
            }
            return number
        }

        /// Microseconds of the digits after the point; nil when there is none.
        mutating func fraction() -> Int64? {
            var (micros, scale): (Int64, Int64) = (0, 100_000)
            var count = 0
            while let digit = digit() {
                micros += digit * scale
                scale /= 10
                count += 1
            }
            return count > 0 ? micros : nil
        }

        /// Seconds that the local time is ahead of UTC.
        mutating func offset() -> Int64? {
            if take("Z") || take("z") { return 0 }
            let isAhead = take("+")
            guard isAhead || take("-"), let hours = number(2), take(":"), let minutes = number(2) else { return nil }
            return (isAhead ? 1 : -1) * (hours * 3600 + minutes * 60)
        }
    }
}
