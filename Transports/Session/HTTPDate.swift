/// A date in a header field (RFC 9110, section 5.6.7).
///
/// The C library's parser would follow the locale, and FoundationEssentials has none.
enum HTTPDate {
    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    /// Seconds since 1970-01-01 UTC of `Sun, 06 Nov 1994 08:49:37 GMT` or one of the two obsolete forms,
    /// `Sunday, 06-Nov-94 08:49:37 GMT` and `Sun Nov  6 08:49:37 1994`; nil for anything else.
    static func seconds(_ text: String) -> Int64? {
        let words = text.split(separator: " ")
        if words.count == 6, words[0].hasSuffix(","), words[5] == "GMT", words[3].utf8.count == 4 {
            return seconds(day: words[1], month: words[2], year: Int64(words[3]), clock: words[4])
        }
        if words.count == 4, words[0].hasSuffix(","), words[3] == "GMT" {
            let date = words[1].split(separator: "-")
            guard date.count == 3, let year = Int64(date[2]), date[2].utf8.count == 2 else { return nil }
            // Two digits that seem far in the future are of the century before (RFC 9110).
            return seconds(day: date[0], month: date[1], year: year + (year < 70 ? 2000 : 1900), clock: words[2])
        }
        guard words.count == 5 else { return nil }
        return seconds(day: words[2], month: words[1], year: Int64(words[4]), clock: words[3])
    }

    private static func seconds(day: Substring, month: Substring, year: Int64?, clock: Substring) -> Int64? {
        guard let day = Int64(day), (1...31).contains(day), let month = months.firstIndex(of: String(month)),
            let year, (1...9999).contains(year)
        else { return nil }
        let clock = clock.split(separator: ":").compactMap { Int64($0) }
        guard clock.count == 3, (0...23).contains(clock[0]), (0...59).contains(clock[1]), (0...60).contains(clock[2])
        else { return nil }
        return (days(year, Int64(month) + 1, day) * 24 + clock[0]) * 3600 + clock[1] * 60 + clock[2]
    }

    /// Days since 1970-01-01 in the Gregorian calendar, with years that begin in March so that leap days come last.
    private static func days(_ year: Int64, _ month: Int64, _ day: Int64) -> Int64 {
        let year = month <= 2 ? year - 1 : year
        let ofYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        return year * 365 + year / 4 - year / 100 + year / 400 + ofYear - 719_468
    }
}
