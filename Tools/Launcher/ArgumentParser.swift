/// What the command line says.
struct Arguments: Equatable, Sendable {
    /// Nil when none was given: `get`.
    var verb: Verb?
    var settings = SettingLayer()
    /// What is neither verb nor option: URLs.
    var operands: [String] = []
}

/// Reads the command line by the table: `--name value`, `--name=value`, `-n value`, `-nvalue`, letters in a row,
/// options and operands in any order, and `--` before operands only.
///
/// Names are never abbreviated.
struct ArgumentParser {
    private let table: OptionTable
    private var words: ArraySlice<String>
    private var result = Arguments()

    /// Throws a `CommandError` for the first word that is wrong.
    static func parse(_ words: [String], by table: OptionTable) throws(CommandError) -> Arguments {
        var parser = ArgumentParser(table: table, words: words[...])
        try parser.run()
        return parser.result
    }

    private init(table: OptionTable, words: ArraySlice<String>) {
        self.table = table
        self.words = words
    }

    private mutating func run() throws(CommandError) {
        while let word = words.popFirst() {
            if result.settings[.help] != nil {
                result.operands.append(word)  // what help is wanted about
            } else if word == "--" {
                result.operands += words
                break
            } else if word.hasPrefix("--") {
                try long(word)
            } else if word.hasPrefix("-"), word != "-" {
                try letters(word)
            } else {
                try operand(word)
            }
        }
        try checkVerb()
    }

    private mutating func long(_ word: String) throws(CommandError) {
        let parts = word.dropFirst(2).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        let name = String(parts[0])
        guard let option = table.option(long: name) else {
            let flags = table.options.map(\.name.rawValue)
            let near = Suggestion.nearest(to: name, among: flags).map { "--\($0)" }
            let other = near.isEmpty ? "see whirl --help" : "did you mean \(near.joined(separator: " or "))?"
            let hint = ForeignNames.hint(name) ?? Sentence(trusting: other)
            // What is no name may be a URL in the wrong place: it is quoted whole, as a part of it would not be known for one.
            let isName = name.utf8.allSatisfy { (0x61...0x7A).contains($0) || (0x2D...0x39).contains($0) && $0 != 0x2F }
            throw CommandError("\(quoted(isName ? "--" + name : word)) is not an option; \(hint)")
        }
        if parts.count == 2 {
            try set(option, String(parts[1]), as: option.name.flag)
        } else {
            try set(option, option.kind == .flag ? "true" : nil, as: option.name.flag)
        }
    }

    private mutating func letters(_ word: String) throws(CommandError) {
        var rest = word.dropFirst()
        while let letter = rest.popFirst() {
            guard let option = table.option(short: letter) else { throw unknown(letter, in: word) }
            if option.kind == .flag {
                try set(option, "true", as: "-\(letter)")
                continue
            }
            let value = rest.first == "=" ? rest.dropFirst() : rest
            return try set(option, rest.isEmpty ? nil : String(value), as: "-\(letter)")
        }
    }

    private func unknown(_ letter: Character, in word: String) -> CommandError {
        let name = String(word.drop { $0 == "-" }.prefix { $0 != "=" })
        if name.count > 1, table.option(long: name) != nil {
            return CommandError("\(quoted(word)) is not an option; did you mean --\(name)?")
        }
        if let hint = ForeignNames.hint(String(letter)) {
            return CommandError("\(quoted("-\(letter)")) is not an option; \(hint)")
        }
        let other = letter.isUppercase ? Character(letter.lowercased()) : Character(letter.uppercased())
        let hint =
            table.option(short: other).map { "; did you mean -\(other) (\($0.name.flag))?" } ?? "; see whirl --help"
        return CommandError("\(quoted("-\(letter)")) is not an option\(hint)")
    }

    /// Takes the value, or the next word when there is none yet.
    private mutating func set(_ option: CommandOption, _ value: String?, as flag: String) throws(CommandError) {
        guard let text = value ?? words.popFirst() else {
            throw CommandError("\(flag) needs a value: \(flag) \(option.placeholder ?? "VALUE")")
        }
        let origin = Origin.flag(flag)
        do {
            try add(Setting(value: try option.kind.parse(text), origin: origin), to: option)
        } catch {
            throw CommandError(origin, error.message)
        }
    }

    /// Of two values one would be lost in silence.
    private mutating func add(_ setting: Setting, to option: CommandOption) throws(CommandError) {
        let before = result.settings[option.name] ?? []
        guard option.isRepeatable || before.isEmpty || before.last?.value == setting.value else {
            throw CommandError("given twice, with different values; leave one out")
        }
        result.settings[option.name] = (option.isRepeatable ? before : []) + [setting]
    }

    /// The first operand may be the verb.
    private mutating func operand(_ word: String) throws(CommandError) {
        let isVerb = result.verb == nil && result.operands.isEmpty
        guard word != "-" || result.verb?.operands.takesStandardInput == true else {
            throw CommandError("'-' is not a URL; to read a list from stdin write -i -, to write to stdout -o -")
        }
        guard isVerb else { return result.operands.append(word) }
        result.verb = Verb(rawValue: word)
        guard result.verb == nil else { return }
        if word.utf8.allSatisfy({ (0x61...0x7A).contains($0) || $0 == 0x2D }) {
            if table.option(long: word) != nil {
                throw CommandError("\(quoted(word)) is neither a verb nor a URL; did you mean --\(word)?")
            }
            let near = Suggestion.nearest(to: word, among: Verb.allCases.map(\.rawValue))
            if let verb = near.first {
                throw CommandError("\(quoted(word)) is neither a verb nor a URL; did you mean whirl \(verb)?")
            }
        }
        result.operands.append(word)
    }

    private func checkVerb() throws(CommandError) {
        let verb = result.verb ?? .get
        guard result.settings[.help] == nil, result.settings[.version] == nil else { return }
        for option in table.options where !option.verbs.contains(verb) {
            if verb == .config, option.verbs.contains(.get) { continue }  // it tells what a transfer would have
            guard let setting = result.settings[option.name]?.last else { continue }
            let right = option.verbs.map { "whirl \($0.rawValue)" }.joined(separator: ", ")
            throw CommandError("\(setting.origin) is not for whirl \(verb.rawValue), only for \(right)")
        }
        let (operands, count) = (verb.operands, result.operands.count)
        if count < operands.count.lowerBound {
            throw CommandError("whirl \(verb.rawValue) needs \(operands.placeholder ?? "more"): \(verb.usage)")
        }
        guard count > operands.count.upperBound else { return }
        let extra = quoted(result.operands[operands.count.upperBound])
        if verb == .demo {
            throw CommandError("whirl demo brings its own URLs; to fetch \(extra) leave the word demo out")
        }
        throw CommandError("whirl \(verb.rawValue) takes no \(extra); leave it out")
    }
}
