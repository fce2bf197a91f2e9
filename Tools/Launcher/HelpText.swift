import WhirlCore

/// What `--help` prints, made from the table.
struct HelpText {
    let registry: Registry
    private let table: OptionTable

    init(registry: Registry) {
        self.registry = registry
        table = registry.table
    }

    /// The word after `--help` for all of it.
    static let everything = "all"

    /// What there is to say about `words`: all, options with or without their dashes, verbs, groups; about no word: what
    /// people need most.
    func about(_ words: [String]) throws(CommandError) -> String {
        var pages: [String] = []
        for word in words { pages.append(try about(word)) }
        return words.isEmpty ? usual : pages.joined(separator: "\n")
    }

    private func about(_ word: String) throws(CommandError) -> String {
        if word == Self.everything { return full }
        let name = String(word.drop { $0 == "-" })
        let option = table.option(long: name) ?? (name.count == 1 ? name.first.flatMap(table.option(short:)) : nil)
        let pages = [
            option.map(page),
            word == name ? Verb(rawValue: name).map(page) : nil,
            word == name ? CommandOption.Group(rawValue: name).map(page) : nil,
        ].compactMap(\.self)
        guard pages.isEmpty else { return pages.joined(separator: "\n") }
        let known =
            table.options.map(\.name.rawValue) + Verb.allCases.map(\.rawValue)
            + CommandOption.Group.allCases.map(\.rawValue) + [Self.everything]
        let hint = Suggestion.phrase(for: name, among: known)
        throw CommandError("there is no help about \(quoted(word))\(hint.isEmpty ? "; see whirl --help all" : hint)")
    }

    // MARK: - Lists

    /// What people need most, at most 60 lines of 80 columns.
    var usual: String { text(table.options.filter { !$0.isRare }, Self.rest) }

    /// Every option, with an example each.
    var full: String { text(table.options, examples(table.options)) }

    private func text(_ options: [CommandOption], _ rest: String) -> String {
        var lines = ["whirl \(Launcher.version) - transfers URLs and shows how far they are", ""]
        for (index, verb) in Verb.allCases.enumerated() {
            lines.append((index == 0 ? "usage: " : "       ") + Self.columns(verb.usage, verb.summary, 30))
        }
        for group in CommandOption.Group.allCases {
            let members = options.filter { $0.group == group }
            if !members.isEmpty { lines += ["", "\(group.title) (\(group.rawValue)):"] + members.map(line) }
        }
        return lines.joined(separator: "\n") + "\n\n" + rest
    }

    private func examples(_ options: [CommandOption]) -> String {
        "Examples:\n" + options.map { "  \($0.example)\n" }.joined()
    }

    private static let rest = """
        More: whirl --help all, or about one: whirl --help jobs. Each can be a variable
        (WHIRL_JOBS=4) and a line of a file (jobs: 4): flags win over variables, those
        over files.

        whirl -o - https://example.org/files.tar.gz | tar xz
        whirl -f jsonl -i list.txt | jq 'select(.type == "failed").error.message'

        Exit: 0 all done, 1 a transfer failed, 2 wrong usage, 3 not written, 4 not the
        expected bytes, 5 cancelled, 70 a fault of whirl, 128+N ended by signal N.

        """

    private func line(_ option: CommandOption) -> String {
        let letter = option.short.map { "-\($0), " } ?? "    "
        let preset = option.preset.map { " (default: \($0))" } ?? ""
        return Self.columns("  \(letter)\(option.synopsis)", option.help + preset, 28)
    }

    private static func columns(_ left: String, _ right: String, _ width: Int) -> String {
        left + String(repeating: " ", count: max(2, width - left.count)) + right
    }

    // MARK: - Pages

    private func page(_ group: CommandOption.Group) -> String {
        let options = table.options.filter { $0.group == group }
        return "\(group.title):\n" + options.map { line($0) + "\n" }.joined() + "\n" + examples(options)
    }

    private func page(_ verb: Verb) -> String {
        let options = verb == .get ? [] : table.options.filter { $0.verbs.contains(verb) }
        let rest = verb == .get ? "Its options: whirl --help all\n" : options.map { line($0) + "\n" }.joined()
        return "\(verb.usage)\n    \(verb.summary)\n\n\(rest)"
    }

    private func page(_ option: CommandOption) -> String {
        let letter = option.short.map { "-\($0), " } ?? ""
        var text = "\(letter)\(option.synopsis)\n" + Self.paragraph(option.help)
        if !option.detail.isEmpty { text += "\n" + Self.paragraph(option.detail) }
        let rows = OptionFacts(option, registry).rows.map { "    \(Self.columns($0.name, $0.value, 16))\n" }
        return text + "\n" + rows.joined()
    }

    /// Lines of at most 80 columns.
    static func paragraph(_ text: String) -> String {
        var lines = ["   "]
        for word in text.split(separator: " ") {
            if lines[lines.count - 1].count + 1 + word.count > 80 { lines.append("   ") }
            lines[lines.count - 1] += " \(word)"
        }
        return lines.map { $0 + "\n" }.joined()
    }

    /// What `whirl` alone prints: ten lines to begin with.
    var first: String {
        """
        whirl transfers URLs and shows how far they are.

          whirl https://example.org/file.iso        into this folder
          whirl -d downloads URL1 URL2              into another
          whirl -i list.txt -j 16                   a list, one URL a line
          whirl -o - URL | tar xz                   to a pipe
          whirl -f jsonl URL                        what happens, as JSON Lines
          whirl demo                                see it at work, without a network

        Give a URL, or try 'whirl --help'.

        """
    }
}
