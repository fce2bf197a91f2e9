#if NCurses && Curl
import Glibc
import Testing
import WhirlLoopback

@Suite("The dashboard in a terminal", .timeLimit(.minutes(3)), .serialized) struct TerminalTests {
    /// A server with two files that stop half-way until their gate opens, and one that comes at once.
    private struct Site {
        let gate = Gate()
        let server: LoopbackServer

        init() throws {
            let slow = Route.file(size: 2_000_000, pace: .gate(gate, at: 1_000_000))
            server = try LoopbackServer(["/slow.bin": slow, "/other.bin": slow, "/quick.bin": .bytes(1000)])
        }

        var urls: String { ["/slow.bin", "/other.bin", "/quick.bin"].map { server.url($0) }.joined(separator: " ") }
    }

    /// Waits for the summary, and asks the shell how the command ended and how the terminal is.
    private func end(_ terminal: Terminal) throws -> String {
        try terminal.until { $0.contains("whirl: ") }
        try terminal.enter("echo exit $?; stty -a > after")
        return try terminal.until { $0.contains("\nexit ") }
    }

    @Test(
        "rows, keys and the summary work at any size, and the terminal is as before",
        arguments: [(80, 24), (40, 10), (200, 60)])
    func session(_ columns: Int, _ rows: Int) throws {
        let site = try Site()
        defer { site.server.stop() }
        let folder = TemporaryFolder()
        let terminal = try Terminal(columns: columns, rows: rows, folder: folder.path)
        try terminal.enter("stty -a > before; \(Program.whirl) -t curl -d out \(site.urls)")
        let screen = try terminal.until { $0.contains("slow.bin") && $0.contains("50%") && $0.contains("other.bin") }
        #expect(screen.contains("quick.bin") && terminal.modes == "1 0")
        for line in screen.split(separator: "\n") { #expect(line.count <= columns) }
        site.gate.open()
        let after = try end(terminal)
        #expect(after.contains("\nexit 0") && after.contains("3 done") && terminal.modes == "0 1")
        #expect(folder.names(in: "out") == ["other.bin", "quick.bin", "slow.bin"])
        try terminal.until { _ in folder.read("after")?.isEmpty == false }
        #expect(folder.read("before") == folder.read("after"))
    }

    @Test("space pauses the row, the server sees no more of it, and space goes on")
    func pause() async throws {
        let site = try Site()
        defer { site.server.stop() }
        let folder = TemporaryFolder()
        let terminal = try Terminal(columns: 80, rows: 24, folder: folder.path)
        try terminal.enter("\(Program.whirl) -t curl -d out \(site.server.url("/slow.bin"))")
        try terminal.until { $0.contains("50%") }
        try terminal.press("Space")
        try terminal.until { $0.contains("paused") || $0.contains("‖") || $0.contains("⏸") }
        site.gate.open()
        try terminal.press("Space")
        #expect(try end(terminal).contains("\nexit 0"))
        let whole = try #require(folder.read("out/slow.bin"))
        #expect(whole.count == 2_000_000 && BodyPattern(1).matches(whole))
    }

    @Test("x cancels the row, and the others go on")
    func cancel() throws {
        let site = try Site()
        defer { site.server.stop() }
        let folder = TemporaryFolder()
        let terminal = try Terminal(columns: 80, rows: 24, folder: folder.path)
        try terminal.enter("\(Program.whirl) -t curl -d out \(site.urls)")
        try terminal.until { $0.contains("50%") }
        try terminal.press("x")
        try terminal.until { $0.contains("cancel") }
        site.gate.open()
        let after = try end(terminal)
        #expect(after.contains("\nexit 5") && after.contains("2 done") && after.contains("1 cancelled"))
    }

    @Test(
        "Ctrl-C leaves in order: exit 130, the terminal as before, the summary on the screen", arguments: ["C-c", "q"])
    func interrupt(_ key: String) throws {
        let site = try Site()
        defer { site.server.stop() }
        let folder = TemporaryFolder()
        let terminal = try Terminal(columns: 80, rows: 24, folder: folder.path)
        try terminal.enter("stty -a > before; \(Program.whirl) -t curl -d out \(site.urls)")
        try terminal.until { $0.contains("50%") && $0.contains("slow.bin") }
        try terminal.press(key)
        let after = try end(terminal)
        #expect(after.contains(key == "q" ? "\nexit 5" : "\nexit 130") && after.contains("2 cancelled"))
        #expect(terminal.modes == "0 1")
        try terminal.until { _ in folder.read("after")?.isEmpty == false }
        #expect(folder.read("before") == folder.read("after"))
        #expect(folder.names(in: "out").sorted() == ["other.bin.part", "quick.bin", "slow.bin.part"])
    }
}
#endif
