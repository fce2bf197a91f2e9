/// The manual page `whirl.1`, in mdoc.
struct ManualPage {
    let registry: Registry

    var text: String {
        let parts = [
            head, Self.section("DESCRIPTION"), Self.paragraphs(Prose.description), verbs, options,
            Self.section("CONFIGURATION"), Self.paragraphs(Prose.configuration), ".Ss Secrets\n",
            Self.paragraphs(Prose.secrets), ".Ss The file of a project\n", Self.paragraphs(Prose.project), environment,
            files, exits, examples,
        ]
        return parts.joined()
    }

    private var head: String {
        """
        .\\" Written by Tools/update-tables from the table of options.
        .Dd November 30, 2026
        .Dt WHIRL 1
        .Os
        .Sh NAME
        .Nm whirl
        .Nd transfer URLs and show how far they are
        .Sh SYNOPSIS

        """ + Verb.allCases.map { ".Nm\n\(Self.escaped(String($0.usage.dropFirst(6))))\n" }.joined()
    }

    private var verbs: String {
        let items = Verb.allCases.map { verb in
            ".It Cm \(verb.rawValue)\n" + Self.sentences("\(Self.sentence(verb.summary)) \(verb.detail)")
        }
        return "The first word that is no option may say what to do:\n.Bl -tag -width completions\n" + items.joined()
            + ".El\n"
    }

    private var options: String {
        let intro = """
            Options may stand anywhere, also after URLs, as --name value, --name=value, -n value or -nvalue; letters of \
            flags may be put together. After -- there are only URLs. Names are never abbreviated.
            """
        return Self.section("OPTIONS") + Self.sentences(intro)
            + CommandOption.Group.allCases.map { group in
                let options = registry.table.options.filter { $0.group == group }
                return ".Ss \(Self.escaped(group.title))\n.Bl -tag -width Ds\n" + options.map(item).joined() + ".El\n"
            }.joined()
    }

    private func item(_ option: CommandOption) -> String {
        let value = option.placeholder.map { " Ar \(Self.escaped($0))" } ?? ""
        let letter = option.short.map { "Fl \($0)\(value) , " } ?? ""
        let facts = OptionFacts(option, registry)
        var more = [option.detail]
        if let range = facts.values { more.append("From: \(range).") }
        if option.isRepeatable { more.append("May be repeated.") }
        if let preset = option.preset { more.append("Without it: \(preset).") }
        if let transports = facts.transports { more.append("With the transport \(transports) only.") }
        if let key = facts.key, option.reservation != nil {
            more.append("\(key.prefix { $0 != ":" }) is not for the file of a project.")
        }
        let verbs = option.verbs.contains(.get) || option.verbs == Verb.allCases ? [] : option.verbs
        if !verbs.isEmpty { more.append("For \(verbs.map { "whirl \($0.rawValue)" }.joined(separator: " and ")).") }
        let text = ([Self.sentence(option.help)] + more.filter { !$0.isEmpty }).joined(separator: " ")
        return ".It \(letter)Fl \\-\(option.name.rawValue.replacingDashes)\(value)\n" + Self.sentences(text)
    }

    private var environment: String {
        let own = registry.table.options.filter { $0.sources.contains(.environment) }.map {
            ".It Ev \($0.name.variable)\n\(Self.escaped($0.name.flag))\n"
        }
        let others = Prose.variables.map { names, text in
            let names = names.split(separator: ", ").map { "Ev \($0)" }.joined(separator: " , ")
            return ".It \(names)\n" + Self.sentences(text)
        }
        return Self.section("ENVIRONMENT") + ".Bl -tag -width Ds\n" + others.joined() + ".El\n.Pp\nSettings:\n"
            + ".Bl -tag -width WHIRL_LIMIT_RATE_PER_TASK -compact\n" + own.joined() + ".El\n"
    }

    private var files: String {
        let all = [
            ("whirl.yaml", "The project's settings, in the current folder."),
            ("~/.config/whirl/config.yaml", "The user's settings."),
            ("NAME.part, NAME.part.state", "A file that is not whole yet, and what its bytes are."),
        ]
        return Self.section("FILES") + ".Bl -tag -width Ds\n"
            + all.map { ".It Pa \(Self.escaped($0))\n" + Self.sentences($1) }.joined() + ".El\n"
    }

    private var exits: String {
        Self.section("EXIT STATUS") + ".Bl -tag -width 128+N -compact\n"
            + Prose.exits.map { ".It \($0)\n" + Self.sentences($1) }.joined() + ".El\n.Pp\n"
            + Self.sentences("The worst of a run counts, in the order 70, 4, 3, 2, 1, 5: never the order of the URLs.")
    }

    private var examples: String {
        Self.section("EXAMPLES")
            + Prose.examples.map { Self.sentences($0) + ".Pp\n.Dl \(Self.escaped($1))\n" }.joined(separator: ".Pp\n")
    }

    // MARK: - Text

    private static func section(_ title: String) -> String { ".Sh \(title)\n" }

    /// The few words of help as a sentence.
    private static func sentence(_ words: String) -> String {
        let first = words.prefix(1)
        let isName = words.prefix { $0 != " " && $0 != "," }.contains { "|[{.".contains($0) } || words.hasPrefix("http")
        return (isName ? String(words) : first.uppercased() + words.dropFirst()) + "."
    }

    private static func paragraphs(_ paragraphs: [Prose.Paragraph]) -> String {
        paragraphs.enumerated().map { index, paragraph in
            switch paragraph {
            case .text(let text): (index == 0 ? "" : ".Pp\n") + sentences(text.filter { $0 != "`" })
            case .code(let text):
                ".Bd -literal -offset indent\n"
                    + text.split(separator: "\n").map { "\(escaped(String($0)))\n" }.joined() + ".Ed\n"
            }
        }.joined()
    }

    /// Every sentence begins a line, which mandoc asks for, and no line is longer than 78 columns.
    private static func sentences(_ text: String) -> String {
        var lines: [String] = []
        var isNew = true
        for word in text.split(separator: " ") {
            let word = escaped(String(word))
            if isNew || lines[lines.count - 1].count + 1 + word.count > 78 {
                lines.append(word)
            } else {
                lines[lines.count - 1] += " \(word)"
            }
            isNew = [".", "?", "!"].contains(word.last)
        }
        return lines.map { ($0.hasPrefix(".") || $0.hasPrefix("'") ? "\\&" : "") + $0 + "\n" }.joined()
    }

    /// A dash of an option is no hyphen.
    private static func escaped(_ text: String) -> String {
        text.replacingBackslashes.replacingDashes
    }
}

extension String {
    fileprivate var replacingBackslashes: String { map { $0 == "\\" ? "\\e" : String($0) }.joined() }
    fileprivate var replacingDashes: String { map { $0 == "-" ? "\\-" : String($0) }.joined() }
}
