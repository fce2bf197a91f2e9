#if NCurses && Curl
import Glibc
import Testing
import WhirlBoard
import WhirlLoopback

/// What other programs' users have reported of their displays, tried on ours in a real terminal.
@Suite("The dashboard under a person's hands", .timeLimit(.minutes(3)), .serialized) struct TerminalCraftTests {
    private let gate = Gate()
    private let server: LoopbackServer
    private let folder: TemporaryFolder

    /// Names that are wide, that combine, that are hostile; each file stops half-way until the gate opens.
    private static let names = [
        "plain.bin", "日本語のファイル.bin", "e\u{301}tude.bin", "👩\u{200D}🚀 ❤️.bin", "evil\u{1B}[2J\u{202E}.bin",
    ]

    init() throws {
        let slow = Route.file(size: 2_000_000, pace: .gate(gate, at: 1_000_000))
        var routes: [String: Route] = [:]
        for name in Self.names { routes["/" + Self.escaped(name)] = slow }
        for number in 0..<300 { routes["/n\(number)"] = .bytes(100) }
        server = try LoopbackServer(routes)
        folder = try TemporaryFolder()
    }

    private static func escaped(_ name: String) -> String {
        name.utf8.map { byte in
            let digits = String(byte, radix: 16, uppercase: true)
            return "%" + (digits.utf8.count < 2 ? "0" : "") + digits
        }.joined()
    }

    private func url(_ name: String) -> String { server.url("/" + Self.escaped(name)) }

    private func terminal(_ columns: Int = 80, _ rows: Int = 24) async throws -> Terminal {
        try await Terminal(columns: columns, rows: rows, folder: folder.path)
    }

    /// Where the percent signs stand: rows whose name is wider than it was measured are out of line.
    private func percents(_ screen: String) -> [Int] {
        let rows = screen.split(separator: "\n").filter { $0.contains("50%") }
        return rows.map { row in Columns().count(String(row.prefix { $0 != "%" })) }
    }

    @Test("Wide, combining and hostile names stand in line, at every width, and nothing is doubled after a resize")
    func resizes() async throws {
        defer { server.stop() }
        let terminal = try await terminal()
        folder.write("list", Self.names.map(url).joined(separator: "\n") + "\n")
        try await terminal.enter("\(Program.whirl) -t curl -d out -i list; echo exit $?")
        let first = try await terminal.until { percents($0).count == 5 }
        #expect(Set(percents(first)).count == 1, "\(first)")
        for (columns, rows) in [(40, 10), (100, 30), (20, 5), (10, 3), (80, 24)] {
            try await terminal.resize(columns: columns, rows: rows)
            let screen = try await terminal.until { screen in
                let lines = screen.split(separator: "\n", omittingEmptySubsequences: false)
                // The whole frame: the terminal may be looked at while it is drawn.
                let isWhole = lines.dropLast().last?.contains("q quit") == true
                return columns < 20 ? screen.contains("0/5") : isWhole && percents(screen).count == min(5, rows - 2)
            }
            let found = percents(screen)
            #expect(columns < 20 || found.count == min(5, rows - 2) && Set(found).count == 1, "\(screen)")
        }
        gate.open()
        try await terminal.until { $0.contains("exit 0") }
    }

    @Test("Keys work while the list comes from standard input, which is read whole")
    func readsListBesideKeys() async throws {
        defer { server.stop() }
        let terminal = try await terminal()
        let list = ([url("plain.bin")] + (0..<300).map { server.url("/n\($0)") }).joined(separator: "\n") + "\n"
        folder.write("list", list)
        try await terminal.enter("cat list | \(Program.whirl) -t curl -d out -i -; echo exit $?")
        try await terminal.until { $0.contains("300/301 done") && $0.contains("50%") }
        let history = try await terminal.history
        #expect(history == "0")
        try await terminal.press("Space")
        try await terminal.until { $0.contains("paused") }
        try await terminal.press("Space")
        gate.open()
        try await terminal.until { $0.contains("exit 0") }
        #expect(folder.names(in: "out").count == 301)
    }

    @Test("Ctrl-Z gives the shell its screen, and fg brings the rows back")
    func stopsAndGoesOn() async throws {
        defer { server.stop() }
        let terminal = try await terminal()
        try await terminal.enter("\(Program.whirl) -t curl -d out \(url("plain.bin")); echo exit $?")
        try await terminal.until { $0.contains("50%") }
        try await terminal.press("C-z")
        try await terminal.until { $0.contains("Stopped") }
        let stopped = try await terminal.modes
        #expect(stopped == "0 1")
        try await terminal.enter("fg")
        let screen = try await terminal.until { $0.contains("50%") && $0.contains("q quit") }
        let shown = try await terminal.modes
        #expect(shown == "1 0" && screen.contains("plain.bin"))
        gate.open()
        try await terminal.until { $0.contains("1 done") }
    }

    @Test(
        "Where no screen can be, the log is written instead, and the run is the same",
        arguments: [
            "env -u TERM", "env TERM=", "env TERM=dumb", "env TERM=nosuch", "setsid -w", "env CI=1", "env ACCESSIBLE=1",
        ])
    func fallsBack(_ prefix: String) async throws {
        defer { server.stop() }
        let terminal = try await terminal()
        try await terminal.enter("\(prefix) \(Program.whirl) -t curl -d out \(server.url("/n1")); echo exit $?")
        let screen = try await terminal.until { $0.contains("exit 0") }
        let modes = try await terminal.modes
        #expect(screen.contains("INFO  done") && screen.contains("whirl: 1 done") && modes == "0 1")
    }

    @Test(
        "Keys and colours of any kind of terminal",
        arguments: ["xterm-kitty", "vt100", "linux", "screen", "tmux-256color"])
    func knowsTerminals(_ type: String) async throws {
        defer { server.stop() }
        let terminal = try await terminal()
        try await terminal.enter(
            "TERM=\(type) LC_ALL=C \(Program.whirl) -t curl -d out \(url("plain.bin")); echo exit $?")
        let screen = try await terminal.until { $0.contains("50%") }
        #expect(screen.utf8.allSatisfy { $0 < 0x80 })
        try await terminal.press("q")
        try await terminal.until { $0.contains("quit? 1 not done") }
        try await terminal.press("q")
        let after = try await terminal.until { $0.contains("exit 5") }
        #expect(after.contains("KEPT") && after.contains("out/plain.bin.part"))
    }

    @Test("A window that is closed ends the run as a hang-up, with the partial file kept; under nohup it goes on")
    func survivesClosedWindow() async throws {
        defer { server.stop() }
        for prefix in ["", "nohup "] {
            let terminal = try await terminal()
            let out = prefix.isEmpty ? "out" : "kept"
            try await terminal.enter(
                "\(prefix)\(Program.whirl) -f ncurses -t curl -d \(out) \(url("plain.bin")) < /dev/null; echo exit $?")
            try await terminal.until { $0.contains("50%") }
            try await terminal.hangUp()
            if prefix.isEmpty {
                _ = await server.until { $0.requests.first?.clientLeft == true }
                #expect(folder.names(in: out).contains("plain.bin.part"))
            } else {
                gate.open()
                for _ in 0..<500 where folder.names(in: out) != ["plain.bin"] {
                    _ = try await aside { poll(nil, 0, 20) }
                }
                #expect(folder.names(in: out) == ["plain.bin"])
            }
        }
    }
}
#endif
