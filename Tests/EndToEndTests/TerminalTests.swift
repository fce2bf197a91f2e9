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
    private func end(_ terminal: Terminal) async throws -> String {
        try await terminal.until { $0.contains("whirl: ") }
        try await terminal.enter("echo exit $?; stty -a > after")
        return try await terminal.until { $0.contains("\nexit ") }
    }

    @Test(
        "rows, keys and the summary work at any size, and the terminal is as before",
        arguments: [(80, 24), (40, 10), (200, 60)])
    func session(_ columns: Int, _ rows: Int) async throws {
        let site = try Site()
        defer { site.server.stop() }
        let folder = try TemporaryFolder()
        let terminal = try await Terminal(columns: columns, rows: rows, folder: folder.path)
        try await terminal.enter("stty -a > before; \(Program.whirl) -t curl -d out \(site.urls)")
        let screen = try await terminal.until { screen in
            ["slow.bin", "50%", "other.bin"].allSatisfy { screen.contains($0) }
        }
        let during = try await terminal.modes
        #expect(screen.contains("quick.bin") && during == "1 0")
        for line in screen.split(separator: "\n") { #expect(line.count <= columns) }
        site.gate.open()
        let after = try await end(terminal)
        let modes = try await terminal.modes
        #expect(after.contains("\nexit 0") && after.contains("3 done") && modes == "0 1")
        #expect(folder.names(in: "out") == ["other.bin", "quick.bin", "slow.bin"])
        try await terminal.until { _ in folder.read("after")?.isEmpty == false }
        #expect(folder.read("before") == folder.read("after"))
    }

    @Test("a transfer that is waited for is seen before its server answers")
    func early() async throws {
        let gate = Gate()
        let server = try LoopbackServer(.script([.wait(gate), .head("200 OK", ["Content-Length: 0"])]))
        defer { server.stop() }
        let folder = try TemporaryFolder()
        let terminal = try await Terminal(columns: 80, rows: 24, folder: folder.path)
        try await terminal.enter("\(Program.whirl) -t curl \(server.url("/late.bin"))")
        // The name alone also stands in the line that was typed.
        try await terminal.until { $0.contains("late.bin") && $0.contains("ETA") || $0.contains("0/1 done") }
        #expect(server.record.requests.allSatisfy { !$0.isAnswered })
        gate.open()
        #expect(try await end(terminal).contains("\nexit 0"))
    }

    @Test("--start-paused asks for nothing until P resumes all, or space the row", arguments: ["P", "Space"])
    func startsPaused(_ key: String) async throws {
        let site = try Site()
        defer { site.server.stop() }
        site.gate.open()
        let folder = try TemporaryFolder()
        let terminal = try await Terminal(columns: 80, rows: 24, folder: folder.path)
        let url = site.server.url("/quick.bin")
        try await terminal.enter("\(Program.whirl) -t curl -d out --start-paused \(url)")
        try await terminal.until { $0.contains("1 paused") }
        #expect(site.server.record.requests.isEmpty)
        try await terminal.press(key)
        let after = try await end(terminal)
        #expect(after.contains("\nexit 0") && folder.names(in: "out") == ["quick.bin"])
    }

    @Test("space pauses the row, the server sees no more of it, and space goes on")
    func pause() async throws {
        let site = try Site()
        defer { site.server.stop() }
        let folder = try TemporaryFolder()
        let terminal = try await Terminal(columns: 80, rows: 24, folder: folder.path)
        try await terminal.enter("\(Program.whirl) -t curl -d out \(site.server.url("/slow.bin"))")
        try await terminal.until { $0.contains("50%") }
        try await terminal.press("Space")
        try await terminal.until { $0.contains("paused") || $0.contains("‖") || $0.contains("⏸") }
        _ = await site.server.until { $0.requests.first?.clientLeft == true }
        site.gate.open()
        try await terminal.press("Space")
        let after = try await end(terminal)
        #expect(after.contains("\nexit 0"))
        let whole = try #require(folder.read("out/slow.bin"))
        #expect(whole.count == 2_000_000 && BodyPattern(1).matches(whole))
    }

    @Test("x cancels the row, and the others go on")
    func cancel() async throws {
        let site = try Site()
        defer { site.server.stop() }
        let folder = try TemporaryFolder()
        let terminal = try await Terminal(columns: 80, rows: 24, folder: folder.path)
        try await terminal.enter("\(Program.whirl) -t curl -d out \(site.urls)")
        try await terminal.until { $0.contains("50%") }
        try await terminal.press("x")
        try await terminal.until { $0.contains("cancelled") }
        site.gate.open()
        let after = try await end(terminal)
        #expect(after.contains("\nexit 5") && after.contains("2 done") && after.contains("1 cancelled"))
    }

    @Test(
        "Ctrl-C leaves in order: exit 130, the terminal as before, the summary on the screen", arguments: ["C-c", "q"])
    func interrupt(_ key: String) async throws {
        let site = try Site()
        defer { site.server.stop() }
        let folder = try TemporaryFolder()
        let terminal = try await Terminal(columns: 80, rows: 24, folder: folder.path)
        try await terminal.enter("stty -a > before; \(Program.whirl) -t curl -d out \(site.urls)")
        try await terminal.until { $0.contains("50%") && $0.contains("slow.bin") }
        try await terminal.press(key)
        if key == "q" {
            try await terminal.until { $0.contains("quit? 2 not done") }
            try await terminal.press(key)
        }
        let after = try await end(terminal)
        #expect(after.contains(key == "q" ? "\nexit 5" : "\nexit 130") && after.contains("2 cancelled"))
        let modes = try await terminal.modes
        #expect(modes == "0 1")
        try await terminal.until { _ in folder.read("after")?.isEmpty == false }
        #expect(folder.read("before") == folder.read("after"))
        let parts = ["other.bin.part", "other.bin.part.state", "quick.bin", "slow.bin.part", "slow.bin.part.state"]
        #expect(folder.names(in: "out").sorted() == parts)
    }
}
#endif
