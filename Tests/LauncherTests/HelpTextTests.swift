import Testing

@testable import WhirlLauncher

@Suite("Help")
struct HelpTextTests {
    private static let usual = lines(HelpText(registry: .wired).usual)
    private static let full = lines(HelpText(registry: .wired).full)

    private static func lines(_ text: String) -> [Substring] {
        text.split(separator: "\n", omittingEmptySubsequences: false)
    }

    @Test("is at most 60 lines of 80 columns; in full it is longer, but no wider")
    func size() {
        #expect(Self.usual.count <= 60)
        #expect((Self.usual + Self.full).filter { $0.count > 80 } == [])
    }

    @Test(
        "mentions every option, its letter and its default; the rarer ones in full only",
        arguments: Registry.wired.table.options)
    func options(_ option: CommandOption) throws {
        let line = try #require(Self.full.first { $0.contains(" \(option.synopsis) ") })
        if let short = option.short { #expect(line.contains("-\(short), --")) }
        if let preset = option.preset { #expect(line.contains("default: \(preset)")) }
        #expect(line.contains(option.help) && Self.full.contains { $0 == "  \(option.example)" })
        #expect(Self.usual.contains(line) != option.isRare)
    }

    @Test(
        "about an option, with or without its dashes, says all that the table knows",
        arguments: ["jobs", "--jobs", "-j"])
    func option(_ word: String) throws {
        let page = try HelpText(registry: Samples.registry).about([word])
        #expect(
            page == """
                -j, --jobs N
                    transfers at once

                    values          1 to 1000
                    default         8
                    variable        WHIRL_JOBS
                    in a file       jobs: 8
                    verbs           get, demo
                    example         whirl -j 16 -i list.txt

                """)
    }

    @Test("has a page for every option, verb and group, of 80 columns at most, with every example")
    func pages() throws {
        let help = HelpText(registry: .wired)
        let groups = CommandOption.Group.allCases.map(\.rawValue)
        for word in OptionName.allCases.map(\.flag) + Verb.allCases.map(\.rawValue) + groups {
            let lines = try Self.lines(help.about([word]))
            #expect(lines.count > 3 && lines.allSatisfy { $0.count <= 80 }, "\(word)")
        }
        #expect(try help.about(["config"]).contains("--config FILE"))
        for option in Registry.wired.table.options {
            #expect(try help.about([option.group.rawValue]).contains(option.example))
        }
    }

    @Test(
        "about a wrong word names the nearest",
        arguments: [
            ("jbos", "there is no help about 'jbos'; did you mean jobs?"),
            ("--jbos", "there is no help about '--jbos'; did you mean jobs?"),
            ("xyzzy", "there is no help about 'xyzzy'; see whirl --help all"),
            ("", "there is no help about ''; see whirl --help all"),
            ("-", "there is no help about '-'; see whirl --help all"),
        ])
    func wrong(_ word: String, _ sentence: String) {
        let complaint = Samples.complaint { () throws(CommandError) in try HelpText(registry: .wired).about([word]) }
        #expect(complaint == sentence)
    }

    @Test("mentions every verb", arguments: Verb.allCases)
    func verbs(_ verb: Verb) {
        #expect(Self.usual.contains { $0.contains(verb.usage) && $0.contains(verb.summary) })
    }

    @Test("for a command without arguments is ten lines, and every command in it is right")
    func first() throws {
        let first = HelpText(registry: Samples.registry).first.split(separator: "\n", omittingEmptySubsequences: false)
        #expect(first.dropLast().count == 10)
        for line in first where line.hasPrefix("  whirl ") {
            let command = line.dropFirst(8).prefix { $0 != "|" }.split(separator: "  ")[0]
            _ = try ArgumentParser.parse(command.split(separator: " ").map(String.init), by: Samples.table)
        }
    }
}

@Suite("The table of options")
struct OptionTableTests {
    @Test("has every name once, and every letter at most once")
    func unique() {
        let options = Samples.table.options
        #expect(options.map(\.name.rawValue).sorted() == OptionName.allCases.map(\.rawValue).sorted())
        #expect(Set(options.compactMap(\.short)).count == options.compactMap(\.short).count)
    }

    @Test("gives an example that can be read, for every option", arguments: Samples.table.options)
    func examples(_ option: CommandOption) throws {
        let words = option.example.split(separator: " ").dropFirst().map(String.init)
        var joined: [String] = []
        var isQuoted = false
        for word in words {
            if isQuoted { joined[joined.count - 1] += " " + word } else { joined.append(word) }
            if word.filter({ $0 == "'" }).count == 1 { isQuoted.toggle() }
        }
        let arguments = try ArgumentParser.parse(
            joined.map { $0.filter { $0 != "'" } }, by: Samples.table)
        #expect(arguments.settings[option.name] != nil)
    }

    @Test("has a placeholder for every value and none for a flag", arguments: Samples.table.options)
    func placeholders(_ option: CommandOption) {
        #expect((option.placeholder == nil) == (option.kind == .flag))
    }
}
