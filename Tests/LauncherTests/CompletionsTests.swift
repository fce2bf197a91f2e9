import Testing

@testable import WhirlLauncher

@Suite("Completions")
struct CompletionsTests {
    @Test("name every option and verb, for every shell", arguments: Completions.Shell.allCases)
    func whole(_ shell: Completions.Shell) {
        let text = Completions(registry: .wired).text(for: shell)
        for option in Registry.wired.table.options {
            #expect(text.contains(option.name.rawValue))
            if let short = option.short { #expect(text.contains(shell == .fish ? "-s \(short)" : "-\(short)")) }
        }
        for verb in Verb.allCases { #expect(text.contains(verb.rawValue)) }
    }

    @Test(
        "are refused for other shells",
        arguments: [
            ("bsh", "'bsh' is not a shell with completions; there is bash, zsh, fish; did you mean bash or zsh?"),
            ("tcsh", "'tcsh' is not a shell with completions; there is bash, zsh, fish"),
        ])
    func others(_ name: String, _ sentence: String) {
        let complaint = Samples.complaint { () throws(CommandError) in
            try Completions(registry: .wired).text(for: name)
        }
        #expect(complaint == sentence)
    }

    @Test("need a shell's name")
    func none() {
        #expect(
            Samples.complaint { () throws(CommandError) in try Samples.arguments("completions") }
                == "whirl completions needs bash, zsh or fish: whirl completions bash|zsh|fish")
    }
}
