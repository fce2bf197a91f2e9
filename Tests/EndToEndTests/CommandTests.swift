import Glibc
import Testing
import WhirlLoopback

@Suite("The command against nginx", .timeLimit(.minutes(2))) struct CommandTests {
    private static let sizes = [0, 1, 4096, 300_000, 2_000_000]

    private static func serve(_ count: Int, _ server: Nginx) -> [String] {
        for number in 0..<count {
            server.folder.write("www/f\(number)", BodyPattern(number).bytes(sizes[number % sizes.count]))
        }
        return (0..<count).map { server.url("/f\($0)") }
    }

    @Test("50 files are equal, nothing else is left, and the stream keeps its promises", arguments: transports)
    func fifty(_ transport: String) async throws {
        let server = try await Nginx()
        let urls = Self.serve(50, server)
        let folder = try TemporaryFolder()
        let run = try await Program.run(
            Program.whirl, ["-t", transport, "-f", "jsonl", "-d", "out"] + urls, folder: folder.path)
        #expect(run.exit == 0 && run.complaints.isEmpty, "\(run.complaintText)")
        #expect(folder.names(in: "out") == (0..<50).map { "f\($0)" }.sorted())
        for number in 0..<50 {
            let bytes = try #require(folder.read("out/f\(number)"))
            #expect(bytes.count == Self.sizes[number % 5] && BodyPattern(number).matches(bytes))
        }
        let stream = try EventStream(run.output)
        #expect(stream.faults.isEmpty)
        #expect(stream.all("created").count == 50 && stream.records.last?["exit"]?.integer == 0)
        let total = (0..<50).reduce(0) { $0 + Self.sizes[$1 % 5] }
        #expect(stream.records.last?["bytes"]?.integer == total)
    }

    @Test("one 404 among them gives exit 1, in any order", arguments: transports)
    func missing(_ transport: String) async throws {
        let server = try await Nginx()
        let urls = Self.serve(5, server)
        for place in [0, 2, 5] {
            var all = urls
            all.insert(server.url("/missing"), at: place)
            let folder = try TemporaryFolder()
            let run = try await Program.run(
                Program.whirl, ["-t", transport, "-f", "jsonl", "-d", folder.path] + all)
            #expect(run.exit == 1)
            #expect(folder.names == ["f0", "f1", "f2", "f3", "f4"])
            let stream = try EventStream(run.output)
            #expect(stream.faults.isEmpty && stream.records.last?["exit"]?.integer == 1)
            #expect(stream.all("failed").first?["error"]?["status"]?.integer == 404)
        }
    }

    @Test("the same run twice moves nothing the second time", arguments: transports)
    func twice(_ transport: String) async throws {
        let server = try await Nginx()
        let urls = Self.serve(5, server)
        let folder = try TemporaryFolder()
        let arguments = ["-t", transport, "-f", "jsonl", "-d", folder.path] + urls
        _ = try await Program.run(Program.whirl, arguments)
        let stream = try await EventStream(Program.run(Program.whirl, arguments).output)
        #expect(stream.all("skipped").count == 5 && stream.records.last?["bytes"]?.integer == 0)
    }

    @Test("the log has no ESC and no CR, and writes nothing on stdout", arguments: transports)
    func log(_ transport: String) async throws {
        let server = try await Nginx()
        let urls = Self.serve(5, server) + [server.url("/missing?token=s3cret")]
        let folder = try TemporaryFolder()
        let run = try await Program.run(
            Program.whirl, ["-t", transport, "-f", "log", "-d", folder.path] + urls,
            environment: ["TERM": "xterm-256color"])
        #expect(run.exit == 1 && run.output.isEmpty)
        #expect(!run.complaints.contains(0x1B) && !run.complaints.contains(0x0D))
        #expect(run.complaintText.contains("404") && !run.complaintText.contains("s3cret"))
        #expect(run.complaints.last == 0x0A)
    }

    @Test("quiet says nothing at all when all went well", arguments: transports, ["log", "auto", "none"])
    func quiet(_ transport: String, _ frontend: String) async throws {
        let server = try await Nginx()
        let urls = Self.serve(3, server)
        let folder = try TemporaryFolder()
        let run = try await Program.run(
            Program.whirl, ["-q", "-t", transport, "-f", frontend, "-d", folder.path] + urls)
        #expect(run.exit == 0 && run.output.isEmpty && run.complaints.isEmpty, "\(run.complaintText)")
    }

    @Test("--events writes the stream to its file, and nothing of it on stdout", arguments: transports)
    func events(_ transport: String) async throws {
        let server = try await Nginx()
        let urls = Self.serve(3, server)
        let folder = try TemporaryFolder()
        let arguments = ["-t", transport, "-f", "none", "--events", "run.jsonl", "-d", "out"] + urls
        let run = try await Program.run(Program.whirl, arguments, folder: folder.path)
        #expect(run.exit == 0 && run.output.isEmpty)
        let stream = try EventStream(try #require(folder.read("run.jsonl")))
        #expect(stream.faults.isEmpty && stream.all("completed").count == 3)
    }

    @Test("/dev/null stays a device", arguments: transports)
    func device(_ transport: String) async throws {
        let server = try await Nginx()
        let urls = Self.serve(5, server)
        let run = try await Program.run(Program.whirl, ["-t", transport, "-f", "none", "-o", "/dev/null", urls[4]])
        var status = stat()
        #expect(run.exit == 0 && run.complaints.isEmpty, "exit \(run.exit): \(run.complaintText)")
        #expect(unsafe stat("/dev/null", &status) == 0 && status.st_mode & S_IFMT == S_IFCHR)
    }

    @Test("a body goes to the standard output byte for byte", arguments: transports)
    func standardOutput(_ transport: String) async throws {
        let server = try await Nginx()
        let urls = Self.serve(5, server)
        let run = try await Program.run(Program.whirl, ["-t", transport, "-q", "-o", "-", urls[4]])
        #expect(run.exit == 0 && run.output.count == Self.sizes[4] && BodyPattern(4).matches(run.output))
    }

    @Test(
        "what makes no sense is said in a sentence, exit 2, with nothing started",
        arguments: [
            (["--job", "3"], "--jobs"), (["-j", "0"], "1"), (["-t", "crul"], "curl"), (["-f", "curses"], "ncurses"),
            (["-f", "ncurses"], "terminal"), (["example.org"], "https://example.org"),
            (["-o", "x", "http://a/1", "http://a/2"], "-o"),
            (["--on-exists", "skp"], "skip"), (["-H", "no colon"], "no colon"),
        ])
    func usage(_ arguments: [String], _ hint: String) async throws {
        let server = try LoopbackServer(.text("x"))
        defer { server.stop() }
        let folder = try TemporaryFolder()
        let run = try await Program.run(
            Program.whirl, arguments + [server.url("/x")], folder: folder.path)
        #expect(run.exit == 2 && run.output.isEmpty)
        #expect(run.complaintText.contains(hint), "\(run.complaintText)")
        #expect(folder.names.isEmpty && server.record.requests.isEmpty)
    }

    @Test("two URLs for one name are refused before anything starts")
    func clash() async throws {
        let server = try LoopbackServer(.text("x"))
        defer { server.stop() }
        let folder = try TemporaryFolder()
        let run = try await Program.run(
            Program.whirl, [server.url("/a/x"), server.url("/b/x")], folder: folder.path)
        #expect(run.exit == 2 && folder.names.isEmpty && server.record.requests.isEmpty)
    }

    @Test(
        "the first signal ends the run in order: cancelled tasks, end as the last record, .part kept",
        arguments: transports, [SIGINT, SIGTERM, SIGHUP])
    func signals(_ transport: String, _ number: Int32) async throws {
        let gate = Gate()
        let server = try LoopbackServer(.file(size: 1_000_000, pace: .gate(gate, at: 400_000)))
        defer { server.stop() }
        let folder = try TemporaryFolder()
        let program = try Program(
            Program.whirl, ["-t", transport, "-f", "jsonl", "-d", folder.path, server.url("/a"), server.url("/b")])
        _ = await server.until { $0.requests.count == 2 && $0.bodySent == 800_000 }
        program.signal(number)
        let run = try await program.wait()
        #expect(run.exit == 128 + number)
        let stream = try EventStream(run.output)
        #expect(stream.faults.isEmpty && stream.records.last?["exit"]?.integer == Int(128 + number))
        #expect(stream.all("cancelled").map { $0["reason"]?.string } == ["signal", "signal"])
        #expect(folder.names.allSatisfy { $0.hasSuffix(".part") })
    }

    @Test("a reader that goes away ends the run with 141 and no word", arguments: transports)
    func brokenPipe(_ transport: String) async throws {
        let server = try LoopbackServer(.file(size: 10_000_000, pace: .rate(1_000_000)))
        defer { server.stop() }
        let folder = try TemporaryFolder()
        let command = "\(Program.whirl) -t \(transport) -f jsonl -d . \(server.url("/a"))"
        let run = try await Program.run(
            "bash", ["-c", "\(command) | head -1 >/dev/null; exit ${PIPESTATUS[0]}"], folder: folder.path)
        #expect(run.exit == 141 && run.complaints.isEmpty, "\(run.complaintText)")
    }

    @Test("the log tells of a transfer before its server answers", arguments: transports)
    func firstLine(_ transport: String) async throws {
        let gate = Gate()
        let server = try LoopbackServer(.script([.wait(gate), .head("200 OK", ["Content-Length: 0"])]))
        defer { server.stop() }
        let folder = try TemporaryFolder()
        let words = "exec \(Program.whirl) -t \(transport) -f log \(server.url("/a")) 2>log"
        let program = try Program("bash", ["-c", words], folder: folder.path)
        let isTold = try await aside {
            for _ in 0..<2000 {
                if String(decoding: folder.read("log") ?? [], as: UTF8.self).contains("  start  #1 a url=") {
                    return true
                }
                _ = poll(nil, 0, 10)
            }
            return false
        }
        #expect(isTold)
        gate.open()
        #expect(try await program.wait().exit == 0)
    }

    @Test("plugins names what this build has, and JSON of it can be read")
    func plugins() async throws {
        let run = try await Program.run(Program.whirl, ["plugins"])
        for name in transports + ["log", "jsonl"] { #expect(run.outputText.contains(name)) }
        let json = try await EventStream(Program.run(Program.whirl, ["plugins", "--json"]).output)
        #expect(!json.records.isEmpty)
    }
}
