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

    private static func folder() throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        for file in ["a-file.yaml", "b-file"] { folder.write(file, "") }
        folder.make("b-folder")
        return folder
    }

    private static func scene() async throws -> (TemporaryFolder, Terminal) {
        let folder = try folder()
        let terminal = try await Terminal(columns: 100, rows: 40, folder: folder.path)
        let place = Program.whirl.split(separator: "/").dropLast().map { "/\($0)" }.joined()
        try await terminal.enter("export PATH=\(place):$PATH")
        return (folder, terminal)
    }

    /// Prepares the shell, and waits until it has: what is typed before is no shell's to complete.
    private static func prepare(_ terminal: Terminal, _ commands: String) async throws {
        try await terminal.enter("\(commands); clear; echo ready")
        try await terminal.until { screen in
            let lines = screen.split(separator: "\n")
            return lines.contains("ready") && lines.last?.hasSuffix("$") == true
        }
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
        try await Self.prepare(terminal, "source <(whirl completions bash)")
        try await Self.type(terminal)
    }

    @Test("zsh")
    func zsh() async throws {
        let (folder, terminal) = try await Self.scene()
        defer { withExtendedLifetime(folder) {} }
        try await terminal.enter("PS1='zsh$ ' zsh -f")
        try await terminal.until { $0.split(separator: "\n").last == "zsh$" }
        try await Self.prepare(
            terminal, "bindkey -e; autoload -U compinit; compinit -D -u; source <(whirl completions zsh)")
        try await Self.type(terminal)
    }

    /// Fish answers without a terminal.
    @Test("fish", arguments: cases)
    func fish(_ typed: String, _ expected: String) async throws {
        let folder = try Self.folder()
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
