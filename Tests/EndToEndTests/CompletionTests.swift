import Testing
import WhirlLoopback

@Suite("Completions in a real shell", .timeLimit(.minutes(3)), .serialized) struct CompletionTests {
    /// What is typed before Tab, and what stands there after it.
    static let cases = [
        ("whirl --on-e", "whirl --on-exists"), ("whirl --on-exists re", "whirl --on-exists rename"),
        ("whirl --on-exists=re", "whirl --on-exists=rename"), ("whirl demo --jobs-", "whirl demo --jobs-per-host"),
        ("whirl plu", "whirl plugins"), ("whirl -j 3 plu", "whirl -j 3 plugins"),
        ("whirl config chec", "whirl config check"), ("whirl config check a-", "whirl config check a-file.yaml"),
        ("whirl -i a-", "whirl -i a-file.yaml"), ("whirl -d b-", "whirl -d b-folder/"),
        ("whirl completions fi", "whirl completions fish"), ("whirl help durab", "whirl help durability"),
    ]

    private static func scene() async throws -> (TemporaryFolder, Terminal) {
        let folder = try TemporaryFolder()
        for file in ["a-file.yaml", "b-file"] { folder.write(file, "") }
        let made = try await Program.run("mkdir", ["b-folder"], folder: folder.path)
        #expect(made.exit == 0)
        let terminal = try await Terminal(columns: 100, rows: 40, folder: folder.path)
        let place = Program.whirl.split(separator: "/").dropLast().map { "/\($0)" }.joined()
        try await terminal.enter("export PATH=\(place):$PATH")
        return (folder, terminal)
    }

    private static func type(_ terminal: Terminal) async throws {
        for (typed, expected) in cases {
            try await terminal.press(typed)
            try await terminal.press("Tab")
            // Zsh puts the = of an option with a value there, too.
            try await terminal.until { screen in
                screen.split(separator: "\n").contains { line in
                    line.hasSuffix("$ \(expected)") || line.hasSuffix("$ \(expected)=")
                }
            }
            try await terminal.press("C-u")
            try await terminal.press("C-l")
        }
    }

    @Test("bash")
    func bash() async throws {
        let (folder, terminal) = try await Self.scene()
        defer { withExtendedLifetime(folder) {} }
        try await terminal.enter("source <(whirl completions bash); clear")
        try await Self.type(terminal)
    }

    @Test("zsh")
    func zsh() async throws {
        let (folder, terminal) = try await Self.scene()
        defer { withExtendedLifetime(folder) {} }
        try await terminal.enter("PS1='$ ' zsh -f")
        try await terminal.enter(
            "bindkey -e; autoload -U compinit; compinit -D -u; source <(whirl completions zsh); clear")
        try await Self.type(terminal)
    }

    /// Fish answers without a terminal.
    @Test("fish", arguments: cases)
    func fish(_ typed: String, _ expected: String) async throws {
        let (folder, _) = try await Self.scene()
        let script = "\(Program.whirl) completions fish | source; complete -C '\(typed)'"
        let run = try await Program.run(
            "fish", ["--no-config", "-c", script], environment: ["HOME": folder.path], folder: folder.path)
        let last = expected.split(separator: " ").last ?? ""
        let words = run.outputText.split(separator: "\n").map { $0.split(separator: "\t")[0] }
        #expect(words.contains(last), "\(run.outputText)\(run.complaintText)")
    }

    @Test("the manual page is clean, and what it calls options are options")
    func manual() async throws {
        let file = #filePath.split(separator: "/").dropLast(3).map { "/\($0)" }.joined() + "/Tools/manual/whirl.1"
        let run = try await Program.run("mandoc", ["-Tlint", file])
        #expect(run.exit == 0 && run.outputText.isEmpty, "\(run.outputText)")
        let text = try await Program.run("mandoc", ["-Tutf8", file])
        #expect(text.outputText.contains("whirl") && text.exit == 0)
    }
}
