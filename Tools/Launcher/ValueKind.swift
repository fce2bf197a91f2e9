/// What a value of an option may be.
enum ValueKind: Equatable, Sendable {
    /// Given or not; `true`, `yes`, `on`, `1` and their opposites where a value is written out.
    case flag
    case integer(ClosedRange<Int>)
    /// Seconds, with a fraction where wanted.
    case seconds(ClosedRange<Double>)
    /// The same, or `off`.
    case interval(ClosedRange<Double>)
    /// How many times as fast, from 0.01 to 1000, or `max`.
    case speed
    case choice([String])
    /// Any text but the empty one.
    case text
    /// The name of a backend, of which these are known; whoever looks for it says what is wrong with another.
    case name([String])
    /// A text that names a file, perhaps beside words such as `-`.
    case path
    /// A text that names a folder.
    case folder
    /// Bytes, from 1: `1048576`, `500k`, `1.5G`.
    case size
    /// Bytes per second: the same, perhaps with `/s`.
    case byteRate
    /// A number of requests per second, perhaps with `/s`.
    case startRate
    /// `ALGO:HEX`.
    case checksum
    /// `K/N`.
    case shard
    /// `NAME` or `NAME:PASS`; never quoted in an error.
    case credentials
    /// Any text but the empty one; never quoted in an error.
    case secret
    /// `NAME: VALUE`; never quoted in an error, since it may be a secret.
    case header

    /// The value that `text` stands for; the error is what a person is told, without the option's name.
    func parse(_ text: String) throws(CommandError) -> OptionValue {
        switch self {
        case .flag: return .flag(try Self.flag(text))
        case .integer(let range): return .integer(try Self.integer(text, range))
        case .seconds(let range): return .number(try Self.seconds(text, range))
        case .interval(let range): return text == "off" ? .text(text) : .number(try Self.seconds(text, range))
        case .speed: return text == "max" ? .text(text) : .number(try Self.speed(text))
        case .choice(let words): return .text(try Self.choice(text, words))
        case .text, .secret, .name: return .text(try Self.text(text))
        case .path, .folder: return .text(try Self.path(text))
        case .size: return .integer(try Self.bytes(text, "a number of bytes, such as 1048576, 500k or 1.5G"))
        case .byteRate:
            let number = text.hasSuffix("/s") ? String(text.dropLast(2)) : text
            return .integer(try Self.bytes(number, "a number of bytes per second, such as 500k or 1.5M"))
        case .startRate: return .number(try Self.startRate(text))
        case .checksum: return .text(try Checksum(text).text)
        case .shard: return .text(try Shard(text).text)
        case .credentials:
            guard !text.hasPrefix(":"), !text.isEmpty else { throw CommandError("needs a name: NAME or NAME:PASS") }
            guard text.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else {
                throw CommandError("must not contain a control character; leave it out")
            }
            return .text(text)
        case .header:
            _ = try HeaderLine.parse(text)
            return .text(text)
        }
    }

    /// What a shell can propose for a value.
    enum Proposal: Equatable, Sendable {
        case nothing, files, folders
        case words([String])
    }

    var proposal: Proposal {
        switch self {
        case .choice(let words), .name(let words): .words(words)
        case .interval: .words(["off"])
        case .speed: .words(["max"])
        case .path: .files
        case .folder: .folders
        case .flag, .integer, .seconds, .text, .size, .byteRate, .startRate, .shard, .checksum, .credentials, .secret,
            .header:
            .nothing
        }
    }

    /// Whether a configuration file may say where the value is rather than what it is.
    var takesSource: Bool { self == .credentials || self == .secret || self == .header }

    /// Which values there are, in words; nil for a flag and any text.
    var range: String? {
        switch self {
        case .integer(let range): "\(range.lowerBound) to \(range.upperBound)"
        case .seconds(let range):
            "\(OptionValue.number(range.lowerBound)) to \(OptionValue.number(range.upperBound)) seconds"
        case .interval(let range):
            "off, or \(OptionValue.number(range.lowerBound)) to \(OptionValue.number(range.upperBound)) seconds"
        case .speed: "max, or 0.01 to 1000"
        case .choice(let words), .name(let words): words.joined(separator: ", ")
        case .size, .byteRate: "a number of bytes, such as 1048576, 500k or 1.5G"
        case .startRate: "a number, such as 5 or 0.5/s"
        case .shard: "K/N, such as 2/8"
        case .flag, .text, .path, .folder, .checksum, .credentials, .secret, .header: nil
        }
    }

    private static func text(_ text: String) throws(CommandError) -> String {
        guard !text.isEmpty else { throw CommandError("must not be empty; give a value, or leave it out") }
        guard !text.utf8.contains(0) else { throw CommandError("must not contain a NUL; leave it out") }
        return text
    }

    /// A URL in the place of a path is a slip, and may have a password in it.
    static func path(_ text: String) throws(CommandError) -> String {
        let path = try self.text(text)
        let start = path.lowercased()
        guard !start.hasPrefix("http:/"), !start.hasPrefix("https:/") else {
            throw CommandError("\(quoted(path)) is a URL; here goes the path of a file or folder")
        }
        return path
    }

    private static func bytes(_ text: String, _ what: String) throws(CommandError) -> Int {
        guard let count = ByteCount.parse(text), count >= 1 else {
            throw CommandError("\(quoted(text)) is not \(what)")
        }
        return count
    }

    private static func startRate(_ text: String) throws(CommandError) -> Double {
        let number = text.hasSuffix("/s") ? text.dropLast(2) : text[...]
        guard let rate = ByteCount.decimal(number), (0.000_1...1_000_000).contains(rate) else {
            throw CommandError("\(quoted(text)) is not a number of starts per second, such as 5 or 0.5/s")
        }
        return rate
    }

    private static func flag(_ text: String) throws(CommandError) -> Bool {
        switch text.lowercased() {
        case "true", "yes", "on", "1": return true
        case "false", "no", "off", "0": return false
        default: throw CommandError("\(quoted(text)) is neither true nor false")
        }
    }

    private static func integer(_ text: String, _ range: ClosedRange<Int>) throws(CommandError) -> Int {
        guard let number = ByteCount.whole(text), range.contains(number) else {
            throw CommandError(
                "\(quoted(text)) is not a whole number from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    private static func seconds(_ text: String, _ range: ClosedRange<Double>) throws(CommandError) -> Double {
        guard let number = ByteCount.decimal(text), range.contains(number) else {
            let from = OptionValue.number(range.lowerBound), to = OptionValue.number(range.upperBound)
            throw CommandError("\(quoted(text)) is not a number of seconds from \(from) to \(to), such as 2.5")
        }
        return number
    }

    private static func speed(_ text: String) throws(CommandError) -> Double {
        guard let speed = ByteCount.decimal(text), (0.01...1000).contains(speed) else {
            throw CommandError("\(quoted(text)) is neither max nor a number from 0.01 to 1000, such as 10")
        }
        return speed
    }

    private static func choice(_ text: String, _ words: [String]) throws(CommandError) -> String {
        guard !words.contains(text) else { return text }
        let hint = Suggestion.phrase(for: text, among: words)
        throw CommandError("\(quoted(text)) is none of \(words.joined(separator: ", "))\(hint)")
    }
}
