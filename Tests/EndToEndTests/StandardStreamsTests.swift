#if Curl
import Glibc
import Testing
import WhirlLoopback

@Suite("The command's standard streams", .timeLimit(.minutes(2))) struct StandardStreamsTests {
    private static func shell(_ command: String, in folder: TemporaryFolder) async throws -> Program.Result {
        let whole = command.split(separator: " ", omittingEmptySubsequences: false)
            .map { $0 == "whirl" ? Program.whirl : String($0) }.joined(separator: " ")
        return try await Program.run("bash", ["-c", whole], folder: folder.path)
    }

    @Test("that are closed are no obstacle to a file, and nothing is written into one of their numbers")
    func closed() async throws {
        let server = try LoopbackServer(.bytes(100_000))
        defer { server.stop() }
        let folder = try TemporaryFolder()
        let run = try await Self.shell("whirl -f log --events e \(server.url("/a")) <&- >&- 2>&-", in: folder)
        #expect(run.exit == 0 && folder.names == ["a", "e"])
        let whole = try #require(folder.read("a"))
        #expect(whole.count == 100_000 && BodyPattern(1).matches(whole))
        #expect(try EventStream(try #require(folder.read("e"))).faults.isEmpty)
    }

    @Test(
        "that are closed and asked for are named",
        arguments: [
            ("whirl -i - <&-", 2, "whirl: -i: stdin is closed; name a file\n"),
            (
                "whirl -f none -o - URL >&-", 3,
                "whirl: -o -: stdout is closed; write it to a file, or use another descriptor\n"
            ),
            (
                "whirl -o - URL <&- >&-", 3,
                "whirl: -o -: stdout is closed; write it to a file, or use another descriptor\n"
            ),
            (
                "whirl -f jsonl URL >&-", 2,
                "whirl: -f jsonl: stdout is closed; write it to a file, or use another descriptor\n"
            ),
            (
                "whirl --events fd:1 URL >&-", 2,
                "whirl: --events fd:1: stdout is closed; write it to a file, or use another descriptor\n"
            ),
        ] as [(String, Int32, String)])
    func asked(_ command: String, _ exit: Int32, _ sentence: String) async throws {
        let server = try LoopbackServer(.text("x"))
        defer { server.stop() }
        let words = command.split(separator: " ").map { $0 == "URL" ? server.url("/a") : String($0) }
        let run = try await Self.shell(words.joined(separator: " "), in: try TemporaryFolder())
        #expect(run.exit == exit && run.complaintText == sentence)
        #expect(server.record.requests.isEmpty)
    }

    @Test("whose reader goes away end the run with 141 and without a word", arguments: ["-q", "-f none", "-f log"])
    func head(_ options: String) async throws {
        let server = try LoopbackServer(.bytes(50_000_000))
        defer { server.stop() }
        let folder = try TemporaryFolder()
        let command = "whirl \(options) -o - --events e \(server.url("/a")) | head -c5 ; exit ${PIPESTATUS[0]}"
        let run = try await Self.shell(command, in: folder)
        #expect(run.exit == 141 && run.output == Array(BodyPattern(1).bytes(5)))
        let words = run.complaintText.split(separator: "\n").filter { !$0.contains("INFO  start") }
        #expect(words.isEmpty, "\(run.complaintText)")
        let stream = try EventStream(try #require(folder.read("e")))
        #expect(stream.faults.isEmpty && stream.records.last?["exit"]?.integer == 141)
        #expect(stream.all("cancelled").map { $0["reason"]?.string } == ["broken_pipe"])
    }

    @Test("that are not read do not hold up the end: the transfer itself ends before the run does")
    func stuck() async throws {
        let server = try LoopbackServer(.bytes(50_000_000))
        defer { server.stop() }
        let folder = try TemporaryFolder()
        let path = folder.path + "/fifo"
        #expect(unsafe mkfifo(path, 0o600) == 0)
        let reader = unsafe open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        defer { close(reader) }
        let command = "exec \(Program.whirl) -f none --events e -o - \(server.url("/a")) >fifo"
        let program = try Program("bash", ["-c", command], folder: folder.path)
        // What the server has sent need not have been received yet: something is to be in the FIFO.
        let isReceived = try await aside {
            var entry = pollfd(fd: reader, events: Int16(POLLIN), revents: 0)
            return unsafe poll(&entry, 1, 20_000) > 0
        }
        #expect(isReceived)
        program.signal(SIGINT)
        let run = try await program.wait()
        let stream = try EventStream(try #require(folder.read("e")))
        #expect(run.exit == 130 && stream.faults.isEmpty)
        // Bytes are counted when an exchange is over.
        #expect(stream.records.last?["bytes"]?.integer ?? 0 > 0)
    }

    @Test(
        "that can't be written are named, exit 3",
        arguments: [
            ("-f jsonl URL >/dev/full", "the standard output"), ("-f none --events /dev/full URL", "/dev/full"),
            ("-f none --events fd:3 URL 3>/dev/full", "fd:3"),
        ])
    func full(_ command: String, _ name: String) async throws {
        let server = try LoopbackServer(.text("x"))
        defer { server.stop() }
        let words = command.split(separator: " ").map { $0 == "URL" ? server.url("/a") : String($0) }
        let run = try await Self.shell("whirl \(words.joined(separator: " "))", in: try TemporaryFolder())
        #expect(run.exit == 3)
        let sentence = "whirl: the stream of events can't be written to \(name): No space left on device\n"
        #expect(run.complaintText == sentence)
    }

    @Test("A file that may not grow is an error and no signal")
    func limit() async throws {
        let server = try LoopbackServer(.bytes(1_000_000))
        defer { server.stop() }
        let folder = try TemporaryFolder()
        let run = try await Self.shell("ulimit -f 100; whirl -f log \(server.url("/a"))", in: folder)
        #expect(run.exit == 3 && run.complaintText.contains("File too large"), "\(run.complaintText)")
    }
}
#endif
