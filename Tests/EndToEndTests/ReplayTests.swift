import Glibc
import Testing
import WhirlLoopback

@Suite("whirl replay", .timeLimit(.minutes(2))) struct ReplayTests {
    private static func replay(_ words: String..., folder: TemporaryFolder) async throws -> Program.Result {
        try await Program.run(Program.whirl, ["replay"] + words, folder: folder.path)
    }

    @Test("shows the same log and the same summary as the run did", arguments: transports)
    func same(_ transport: String) async throws {
        let server = try LoopbackServer([
            "/a": .bytes(300_000), "/b": .short(100, of: 5000), "/c": .redirect(to: "/a"), "/e": .bytes(0),
        ])
        defer { server.stop() }
        let folder = try TemporaryFolder()
        let urls = ["/a", "/b", "/c", "/d", "/e"].map { server.url($0) }
        let run = try await Program.run(
            Program.whirl, ["-t", transport, "-f", "log", "-v", "--events", "e", "--retries", "1"] + urls,
            folder: folder.path)
        #expect(run.exit == 1 && run.complaintText.contains("KEPT"))
        for speed in ["max", "50"] {
            let replay = try await Self.replay("-f", "log", "-v", "--speed", speed, "e", folder: folder)
            #expect(replay.exit == 0 && replay.output.isEmpty)
            #expect(Self.timeless(replay.complaintText) == Self.timeless(run.complaintText))
            #expect(Self.summary(replay.complaintText) == Self.summary(run.complaintText))
        }
        let report = try await Program.run(Program.whirl, ["report", "e"], folder: folder.path)
        #expect(report.exit == 0 && run.complaintText.hasSuffix(report.outputText) && !report.output.isEmpty)
        let again = try await Self.replay("-f", "jsonl", "--speed", "max", "e", folder: folder)
        folder.write("again", again.output)
        let complaints1 = try await Checkout.complaints("check-stream", ["again"], in: folder)
        #expect(complaints1 == "")
        let (first, second) = (try EventStream(try #require(folder.read("e"))), try EventStream(again.output))
        for type in ["run", "created", "resumed", "attempt", "retrying", "redirected", "completed", "failed", "end"] {
            #expect(Self.bare(first.all(type)) == Self.bare(second.all(type)), "\(type)")
        }
    }

    /// Without how long a transfer took, which is measured anew, and what follows from it.
    ///
    /// Sorted, as tasks that end on two threads are told to two frontends in either order.
    private static func timeless(_ text: String) -> [String] {
        text.replacing(/(done .*B) [^ ]+\/s [0-9hm.]+s/) { "\($0.1)" }.split(separator: "\n").map(String.init).sorted()
    }

    /// The lines from the first that has no time.
    private static func summary(_ text: String) -> String {
        text.split(separator: "\n").drop { !$0.hasPrefix("whirl: ") }.joined(separator: "\n")
    }

    /// Without numbers that other records shift: none is told of as earlier than the one before it, and which progress is
    /// told is a matter of time.
    private static func bare(_ records: [JSONValue]) -> [JSONValue] {
        records.map { record in
            guard case .object(var members) = record else { return record }
            members["seq"] = nil
            members["elapsed"] = nil
            return .object(members)
        }
    }

    @Test("shows a file at the speed of the run, in as many seconds, or some times as fast")
    func pace() async throws {
        let folder = try TemporaryFolder()
        folder.write(
            "e",
            """
            {"type":"run","seq":0,"elapsed":0,"schema":"whirl/1"}
            {"type":"end","seq":1,"elapsed":1.5}

            """)
        var seconds: [Double] = []
        for words in [["e"], ["--speed", "10", "e"]] {
            let began = Self.now
            #expect(
                try await Program.run(Program.whirl, ["replay", "-f", "none"] + words, folder: folder.path).exit == 0)
            seconds.append(Self.now - began)
        }
        #expect(seconds[0] >= 1.5 && seconds[1] >= 0.15 && seconds[1] < seconds[0])
    }

    private static var now: Double {
        var time = timespec()
        unsafe clock_gettime(CLOCK_MONOTONIC, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    @Test("shows what another program writes: a few lines of Python have the dashboard")
    func producer() async throws {
        let folder = try TemporaryFolder()
        let producer = Checkout.path + "/Tests/Examples/Producer/produce.py"
        let stream = try await Program.run(producer, ["0"], folder: folder.path)
        folder.write("stream", stream.output)
        let complaints2 = try await Checkout.complaints("check-stream", ["--plant", "stream"], in: folder)
        #expect(complaints2 == "")
        let terminal = try await Terminal(columns: 80, rows: 24, folder: folder.path)
        try await terminal.enter("\(producer) 0.4 | \(Program.whirl) replay - ; echo exit $?")
        try await terminal.until { $0.contains("a.bin") && $0.contains("0/3 done") && $0.contains("%") }
        let end = try await terminal.until { $0.contains("exit 0") }
        #expect(end.contains("whirl: 2 done, 1 failed, 0 cancelled"))
        #expect(end.contains("the server is busy"))
    }

    @Test("ends at Ctrl-C and at q, with the terminal as before")
    func interrupts() async throws {
        let folder = try TemporaryFolder()
        folder.write(
            "e",
            """
            {"type":"run","seq":0,"elapsed":0,"schema":"whirl/1"}
            {"type":"created","seq":1,"elapsed":0,"task":1,"url":"https://h/a.bin","destination":"a.bin","key":"k"}
            {"type":"resumed","seq":2,"elapsed":0,"task":1}
            {"type":"end","seq":3,"elapsed":3600}

            """)
        let terminal = try await Terminal(columns: 80, rows: 24, folder: folder.path)
        for (keys, exit) in [(["C-c"], 130), (["q", "q"], 0)] {
            try await terminal.enter("clear; \(Program.whirl) replay e")
            try await terminal.until { $0.contains("a.bin") && $0.contains("0/1 done") }
            for key in keys { try await terminal.press(key) }
            try await terminal.until { $0.contains("1 cancelled") }
            #expect(try await terminal.modes == "0 1")
            try await terminal.enter("echo exit $?")
            try await terminal.until { $0.contains("exit \(exit)") }
        }
    }

    @Test(
        "says what is no stream, exit 2, and shows what is torn, exit 0",
        arguments: [
            (
                "not a stream\n", 2,
                "whirl: e is no stream of whirl's: it has no record of type run; name what -f jsonl or --events has written\n"
            ),
            ("", 2, "whirl: e is no stream of whirl's: it is empty; name what -f jsonl or --events has written\n"),
            (
                #"{"type":"run","schema":"whirl/2"}"# + "\n", 2,
                "whirl: e is no stream of whirl's: its schema is whirl/2, and this whirl reads whirl/1; name what -f jsonl or --events has written\n"
            ),
            (#"{"type":"run","schema":"whirl/1.7","elapsed":0}"# + "\n" + #"{"type":"cre"#, 0, "a newer whirl"),
            (#"{"type":"run","schema":"whirl/1","elapsed":0}"# + "\n", 0, "the stream ends before its run does"),
        ] as [(String, Int32, String)])
    func wrong(_ text: String, _ exit: Int32, _ words: String) async throws {
        let folder = try TemporaryFolder()
        folder.write("e", text)
        let run = try await Self.replay("-f", "log", "e", folder: folder)
        #expect(run.exit == exit && run.complaintText.contains(words), "\(run.complaintText)")
        #expect(exit == 0 || run.complaintText == words)
    }

    @Test(
        "refuses to write into the stream that it shows, also by another name", arguments: ["--events", "--log-file"])
    func itself(_ option: String) async throws {
        let folder = try TemporaryFolder()
        folder.write("e", #"{"type":"run","schema":"whirl/1","elapsed":0}"# + "\n")
        _ = unsafe link(folder.path + "/e", folder.path + "/f")
        let run = try await Self.replay("-f", "none", option, "./f", "e", folder: folder)
        #expect(
            run.exit == 2
                && run.complaintText == "whirl: \(option): 'e' is the stream that is shown; name another file\n")
        #expect(folder.read("e")?.count == 46)
    }

    @Test("ends by a signal while it waits for a FIFO that nobody writes into")
    func fifo() async throws {
        let folder = try TemporaryFolder()
        _ = unsafe mkfifo(folder.path + "/e", 0o600)
        let program = try Program(Program.whirl, ["replay", "-f", "log", "e"], folder: folder.path)
        program.signal(SIGTERM)
        #expect(try await program.wait().exit == 128 + SIGTERM)
    }

    @Test("refuses a name that is not UTF-8: repaired it would be another")
    func names() async throws {
        let run = try await Program.run("bash", ["-c", "\(Program.whirl) replay $'caf\\xe9'"])
        #expect(
            run.exit == 2
                && run.complaintText
                    == "whirl: 'caf\u{FFFD}' is not UTF-8, as all words have to be; rename the file, or percent-encode the URL\n"
        )
    }
}
