/// What a value of an option may be.
enum ValueKind: Equatable, Sendable {
    /// Given or not; `true`, `yes`, `on`, `1` and their opposites where a value is written out.
    case flag
    case integer(ClosedRange<Int>)
    /// Seconds, with a fraction where wanted.
    case seconds(ClosedRange<Double>)
    case choice([String])
    /// Any text but the empty one.
    case text
    /// `NAME: VALUE`; never quoted in an error, since it may be a secret.
    case header

    /// The value that `text` stands for; the error is what a person is told, without the option's name.
    func parse(_ text: String) throws(CommandError) -> OptionValue {
        switch self {
        case .flag: return .flag(try Self.flag(text))
        case .integer(let range): return .integer(try Self.integer(text, range))
        case .seconds(let range): return .number(try Self.seconds(text, range))
        case .choice(let words): return .text(try Self.choice(text, words))
        case .text:
            guard !text.isEmpty else { throw CommandError("must not be empty") }
            guard !text.utf8.contains(0) else { throw CommandError("must not contain a NUL") }
            return .text(text)
        case .header:
            _ = try HeaderLine.parse(text)
            return .text(text)
        }
    }

    private static func flag(_ text: String) throws(CommandError) -> Bool {
        switch text.lowercased() {
        case "true", "yes", "on", "1": return true
        case "false", "no", "off", "0": return false
        default: throw CommandError("\(quoted(text)) is neither true nor false")
        }
    }

    private static func integer(_ text: String, _ range: ClosedRange<Int>) throws(CommandError) -> Int {
        guard !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = Int(text),
            range.contains(number)
        else {
            throw CommandError(
                "\(quoted(text)) is not a whole number from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    private static func seconds(_ text: String, _ range: ClosedRange<Double>) throws(CommandError) -> Double {
        guard text.utf8.allSatisfy({ (0x30...0x39).contains($0) || $0 == 0x2E }), let number = Double(text),
            range.contains(number)
        else {
            let from = OptionValue.number(range.lowerBound), to = OptionValue.number(range.upperBound)
            throw CommandError("\(quoted(text)) is not a number of seconds from \(from) to \(to), such as 2.5")
        }
        return number
    }

    private static func choice(_ text: String, _ words: [String]) throws(CommandError) -> String {
        guard !words.contains(text) else { return text }
        let hint = Suggestion.phrase(for: text, among: words)
        throw CommandError("\(quoted(text)) is none of \(words.joined(separator: ", "))\(hint)")
    }
}
