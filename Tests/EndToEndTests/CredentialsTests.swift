import Testing
import WhirlLoopback

@Suite("Credentials", .timeLimit(.minutes(3))) struct CredentialsTests {
    /// `me:canary`, in base 64.
    private static let basic = "Basic bWU6Y2FuYXJ5"

    private static func netrc(_ host: String = "127.0.0.1") -> String {
        "machine other.test login you password wrong\nmachine \(host)\n  login me password \"canary\" # mine\n"
    }

    @Test("--user opens what is closed, wherever the list comes from", arguments: transports)
    func user(_ transport: String) async throws {
        let server = try await Nginx()
        server.folder.write("www/a", "secret")
        let folder = try TemporaryFolder()
        folder.write("list", "\(server.url("/private/a")) out=b\n")
        let words = ["-t", transport, "-f", "log", "-v", "--user", "me:canary", "-i", "list", server.url("/private/a")]
        let run = try await Program.run(Program.whirl, words, folder: folder.path)
        #expect(run.exit == 0 && folder.read("a") == Array("secret".utf8) && folder.read("b") == folder.read("a"))
        #expect(!run.complaintText.contains("canary") && !run.complaintText.contains("bWU6"))
        let wrong = try await Program.run(
            Program.whirl, ["-t", transport, "-f", "log", "--user", "me:canari", server.url("/private/a"), "-o", "c"],
            folder: folder.path)
        #expect(wrong.exit == 1 && wrong.complaintText.contains("401") && !wrong.complaintText.contains("canari"))
    }

    @Test("from a netrc file do the same", arguments: transports, [true, false])
    func netrcs(_ transport: String, _ isAtHome: Bool) async throws {
        let server = try await Nginx()
        server.folder.write("www/a", "secret")
        let folder = try TemporaryFolder()
        folder.write(isAtHome ? ".netrc" : "mine", Self.netrc())
        let option = isAtHome ? ["--netrc"] : ["--netrc-file", "mine"]
        let run = try await Program.run(
            Program.whirl, ["-t", transport, "-f", "log", "-v", server.url("/private/a")] + option,
            environment: ["HOME": folder.path], folder: folder.path)
        #expect(run.exit == 0 && folder.read("a") == Array("secret".utf8), "\(run.complaintText)")
        #expect(!run.complaintText.contains("canary"))
    }

    @Test(
        "never go to another origin, which a redirect names", arguments: transports,
        [["--user", "me:canary"], ["--netrc"], ["-H", "Authorization: \(basic)"], []])
    func redirect(_ transport: String, _ words: [String]) async throws {
        let other = try LoopbackServer(.text("x"))
        let first = try LoopbackServer(["/a": .redirect(to: "/b"), "/b": .redirect(to: other.url("/c"))])
        defer {
            first.stop()
            other.stop()
        }
        let folder = try TemporaryFolder()
        folder.write(".netrc", "default login me password canary\n")
        let url = words.isEmpty ? "http://me:canary@127.0.0.1:\(first.port)/a" : first.url("/a")
        let run = try await Program.run(
            Program.whirl, ["-t", transport, "-f", "jsonl", "-o", "x", url] + words,
            environment: ["HOME": folder.path], folder: folder.path)
        #expect(run.exit == 0, "\(run.complaintText)")
        #expect(first.record.requests.map { $0["Authorization"] } == [Self.basic, Self.basic])
        #expect(other.record.requests.map { $0["Authorization"] } == [nil])
        #expect(!run.outputText.contains("canary") && !run.outputText.contains("bWU6"))
    }

    @Test("of a URL come before --user, and those of -H before a netrc", arguments: transports)
    func precedence(_ transport: String) async throws {
        let server = try LoopbackServer(.text("x"))
        defer { server.stop() }
        let folder = try TemporaryFolder()
        folder.write("netrc", "default login you password wrong\n")
        let common = ["-t", transport, "-f", "none", "-o", "/dev/null"]
        let own = "http://me:canary@127.0.0.1:\(server.port)/"
        for words in [
            ["--user", "you:wrong", own],
            ["--netrc-file", "netrc", "-H", "Authorization: \(Self.basic)", server.url()],
        ] {
            let run = try await Program.run(Program.whirl, common + words, folder: folder.path)
            #expect(run.exit == 0)
        }
        #expect(server.record.requests.map { $0["Authorization"] } == [Self.basic, Self.basic])
    }

    #if Curl || URLSession
    @Test(
        "that are wrong are told without a word of them",
        arguments: [
            (["--user", ":canary"], "whirl: --user: needs a name: NAME or NAME:PASS\n"),
            (
                ["--user", "canary"],
                "whirl: --user: there is no terminal to ask for the password at; write NAME:PASS, or use --netrc\n"
            ),
            (
                ["--user", "a:canary", "-H", "authorization: canary"],
                "whirl: --user and -H Authorization contradict each other; leave one out\n"
            ),
            (
                ["--user", "a:canary", "--user", "b:canary"],
                "whirl: --user: given twice, with different values; leave one out\n"
            ),
            (["--netrc-file", "no"], "whirl: no: No such file or directory; look whether the name is right\n"),
            (
                ["--netrc-file", "bad"],
                "whirl: bad:2: there is a word that is none of machine, default, login, password, account, macdef; "
                    + "put a value with blanks in quotes\n"
            ),
        ])
    func wrong(_ words: [String], _ sentence: String) async throws {
        let folder = try TemporaryFolder()
        folder.write("bad", "machine a login b\npassword x canary\n")
        let run = try await Program.run(
            "setsid", ["-w", Program.whirl] + words + ["http://127.0.0.1:9/a"], folder: folder.path)
        #expect(run.exit == 2 && run.complaintText == sentence)
    }
    #endif

    @Test("--user-agent says who asks", arguments: transports)
    func agent(_ transport: String) async throws {
        let server = try LoopbackServer(.text("x"))
        defer { server.stop() }
        let run = try await Program.run(
            Program.whirl,
            ["-t", transport, "-f", "none", "-o", "/dev/null", "--user-agent", "Somebody/1.0", server.url()])
        #expect(run.exit == 0)
        let agents = server.record.requests[0].fields.filter { $0.name.lowercased() == "user-agent" }.map(\.value)
        #expect(agents == ["Somebody/1.0"])
    }

    @Test("reach no frontend and no file of events", arguments: transports, ["log", "jsonl", "none"])
    func canary(_ transport: String, _ frontend: String) async throws {
        let server = try LoopbackServer([
            "/ok": .text("x"), "/cut": .short(1, of: 2),
            "/off": .redirect(to: "http://me:canary@127.0.0.1:1/?token=canary"),
            "/odd": .redirect(to: "http:///me:canary@127.0.0.1/"), "/no": .text("no", status: "403 Forbidden"),
        ])
        defer { server.stop() }
        let folder = try TemporaryFolder()
        let host = "me:canary@127.0.0.1:\(server.port)"
        let paths = ["/ok?token=canary", "/cut?sig=canary", "/off", "/odd", "/no#canary"]
        let urls = paths.map { "http://\(host)\($0)" }
        let words = ["--user", "you:canary", "-H", "Cookie: canary", "-H", "X-Key: canary", "--retries", "0", "-v"]
        let run = try await Program.run(
            Program.whirl, ["-t", transport, "-f", frontend, "--events", "e"] + words + urls,
            folder: folder.path)
        #expect(run.exit == 1, "\(run.complaintText)")
        let text = run.outputText + run.complaintText + String(decoding: folder.read("e") ?? [], as: UTF8.self)
        #expect(text.contains("403") || frontend == "none")
        #expect(!text.contains("canary") && !text.contains("bWU6Y2"), "\(text)")
    }

    #if NCurses && Curl
    @Test("are asked for at the terminal, and not shown there, nor on the dashboard")
    func asks() async throws {
        let server = try LoopbackServer(.text("no", status: "403 Forbidden"))
        defer { server.stop() }
        let folder = try TemporaryFolder()
        let terminal = try await Terminal(columns: 100, rows: 20, folder: folder.path)
        try await terminal.enter("stty -a > before; \(Program.whirl) --user me \(server.url("/a"))")
        try await terminal.until { $0.contains("Password for me:") }
        try await terminal.enter("canary")
        let screen = try await terminal.until { $0.contains("403") && $0.contains("whirl: ") }
        #expect(server.record.requests.map { $0["Authorization"] } == [Self.basic])
        #expect(!screen.contains("canary\n"))
        try await terminal.enter("clear; echo exit $?; stty -a > after")
        let after = try await terminal.until { $0.contains("exit ") }
        #expect(!after.contains("canary"))
        try await terminal.until { _ in folder.read("after")?.isEmpty == false }
        #expect(folder.read("before") == folder.read("after"))
    }

    @Test("that are not given after all, by Ctrl-C, leave the terminal as it was")
    func refuses() async throws {
        let folder = try TemporaryFolder()
        let terminal = try await Terminal(columns: 100, rows: 20, folder: folder.path)
        try await terminal.enter("stty -a > before; \(Program.whirl) --user me http://127.0.0.1:9/a")
        try await terminal.until { $0.contains("Password for me:") }
        try await terminal.press("C-c")
        try await terminal.until { $0.split(separator: "\n").count { $0.hasPrefix("$") } == 2 }
        try await terminal.enter("echo exit $?; stty -a > after")
        try await terminal.until { $0.contains("exit 130") }
        try await terminal.until { _ in folder.read("after")?.isEmpty == false }
        #expect(folder.read("before") == folder.read("after"))
    }

    @Test("that are not given after all, by Ctrl-D, are told how to be given")
    func ended() async throws {
        let folder = try TemporaryFolder()
        let terminal = try await Terminal(columns: 100, rows: 20, folder: folder.path)
        try await terminal.enter("\(Program.whirl) --user me http://127.0.0.1:9/a")
        try await terminal.until { $0.contains("Password for me:") }
        try await terminal.press("C-d")
        try await terminal.until {
            $0.contains("whirl: --user: no password was given; write NAME:PASS, or use --netrc")
        }
    }

    @Test(
        "that are not given because a signal ends the command leave the terminal as it was", arguments: ["TERM", "HUP"])
    func signals(_ name: String) async throws {
        let folder = try TemporaryFolder()
        let terminal = try await Terminal(columns: 100, rows: 20, folder: folder.path)
        // Bash would put the terminal right by itself.
        folder.write(
            "script",
            """
            sh -c 'echo $$ >pid; exec \(Program.whirl) --user me http://127.0.0.1:9/a'
            stty -a >after
            """)
        try await terminal.enter("stty -a >before; dash script")
        try await terminal.until { $0.contains("Password for me:") }
        let process = String(decoding: folder.read("pid") ?? [], as: UTF8.self).filter(\.isNumber)
        let killed = try await Program.run("kill", ["-\(name)", process])
        #expect(killed.exit == 0, "\(killed.complaintText)")
        try await terminal.until { _ in folder.read("after")?.isEmpty == false }
        #expect(folder.read("before") == folder.read("after"))
    }
    #endif
}
