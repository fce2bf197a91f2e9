import Glibc
import Testing
import WhirlLoopback

@Suite("Lists", .timeLimit(.minutes(2))) struct ListTests {
    private static func run(
        _ words: [String], in folder: TemporaryFolder, transport: String? = transports.first
    ) async throws -> Program.Result {
        let transport = transport.map { ["-t", $0] } ?? []
        return try await Program.run(Program.whirl, transport + words, folder: folder.path)
    }

    private static func shell(_ command: String, in folder: TemporaryFolder) async throws -> Program.Result {
        try await Program.run("bash", ["-c", command], environment: ["WHIRL": Program.whirl], folder: folder.path)
    }

    @Test("of every kind and arguments mix freely", arguments: transports)
    func kinds(_ transport: String) async throws {
        let server = try LoopbackServer { .text("body of \($0.path)\n") }
        defer { server.stop() }
        let folder = try TemporaryFolder()
        folder.write("plain", "\(server.url("/a"))\n\(server.url("/b")) out=x/b2\n")
        folder.write(
            "manifest", #"{"url":"\#(server.url("/c"))","destination":"c2","headers":{"X-Key":"7"},"size":11}"#)
        folder.write("aria2", "\(server.url("/d"))\n  out=d2\n  dir=x\n  header=X-Other: 8\n  split=5\n")
        let lists = ["plain", "manifest", "aria2"].flatMap { ["-i", $0] }
        let run = try await Self.run(["-f", "jsonl", server.url("/e")] + lists, in: folder, transport: transport)
        #expect(run.exit == 0, "\(run.complaintText)")
        let stream = try EventStream(run.output)
        #expect(stream.faults.isEmpty && stream.all("completed").count == 5)
        #expect(
            stream.all("warning").map { $0["message"]?.string } == [
                "aria2:5: 'split' of aria2 has no meaning here and is passed over"
            ])
        #expect(folder.names == ["a", "aria2", "c2", "e", "manifest", "plain", "x"])
        #expect(folder.names(in: "x") == ["b2", "d2"] && folder.read("c2") == Array("body of /c\n".utf8))
        let record = server.record
        #expect(
            record.requests(for: "/c").first?["X-Key"] == "7" && record.requests(for: "/d").first?["X-Other"] == "8")
    }

    @Test("of digests fetch what sha256sum -c then finds right, in its folders")
    func sums() async throws {
        let server = try LoopbackServer { .text("body of \($0.path)\n") }
        defer { server.stop() }
        let folder = try TemporaryFolder()
        let made = try await Self.shell(
            """
            mkdir -p pub/x && cd pub && for name in 'a b' x/c; do echo "body of /pub/${name/ /%20}" > "$name"; done
            sha256sum -- 'a b' x/c > ../SHA256SUMS && sed 's/^./0/' ../SHA256SUMS > ../WRONG && rm -r ../pub
            """, in: folder)
        #expect(made.exit == 0, "\(made.complaintText)")
        let words = ["-q", "-d", "down", "--base-url", server.url("/pub"), "-i"]
        let run = try await Self.run(words + ["SHA256SUMS"], in: folder)
        #expect(run.exit == 0, "\(run.complaintText)")
        let check = try await Self.shell("cd down && sha256sum -c ../SHA256SUMS", in: folder)
        #expect(check.exit == 0 && check.outputText == "a b: OK\nx/c: OK\n")
        #expect(try await Self.run(words + ["WRONG"], in: folder).exit == 4)
    }

    @Test("in a pipe are begun before they end, and a wrong line is a failed transfer", arguments: transports)
    func pipe(_ transport: String) async throws {
        let server = try LoopbackServer { .text("body of \($0.path)\n") }
        defer { server.stop() }
        let folder = try TemporaryFolder()
        let path = "\(folder.path)/list"
        #expect(unsafe mkfifo(path, 0o600) == 0)
        let arguments = ["-t", transport, "-f", "jsonl", "-d", "down", "-i", "list"]
        let program = try Program(Program.whirl, arguments, folder: folder.path)
        let writer = try await aside { unsafe open(path, O_WRONLY | O_CLOEXEC) }
        func write(_ text: String) { _ = unsafe Glibc.write(writer, text, text.utf8.count) }
        write("\(server.url("/a"))\n")
        await server.until { $0.requests.count == 1 }
        write("example.org/b\n\(server.url("/c"))\n")
        await server.until { $0.requests.count == 2 }
        close(writer)
        let run = try await program.wait()
        #expect(run.exit == 2 && folder.names(in: "down") == ["a", "c"])
        let stream = try EventStream(run.output)
        let message = stream.all("failed").first?["error"]?["message"]?.string
        #expect(message == "list:2: example.org/b has no scheme; did you mean https://example.org/b?")
    }

    @Test("that grow are followed: tail -f list | whirl -i - fetches each line when it comes", arguments: transports)
    func tail(_ transport: String) async throws {
        let server = try LoopbackServer { .text("body of \($0.path)\n") }
        defer { server.stop() }
        let folder = try TemporaryFolder()
        folder.write("list", server.url("/a") + "\n")
        let words = "(tail -f list & echo $! >pid; wait) | \"$WHIRL\" -t \(transport) -f jsonl -i - -d out"
        let program = try Program(
            "bash", ["-c", words], environment: ["WHIRL": Program.whirl], folder: folder.path)
        for name in ["a", "b", "c"] {
            // The list has not ended, and nothing of it is known but this line.
            let isThere = try await aside {
                for _ in 0..<2000 {
                    if folder.names(in: "out").contains(name) { return true }
                    _ = poll(nil, 0, 10)
                }
                return false
            }
            #expect(isThere, "\(name)")
            if name != "c" {
                let next = name == "a" ? "b" : "c"
                _ = try await Self.shell("echo \(server.url("/\(next)")) >>list", in: folder)
            }
        }
        _ = try await Self.shell("kill $(cat pid)", in: folder)
        let run = try await program.wait()
        let stream = try EventStream(run.output)
        #expect(run.exit == 0 && stream.faults.isEmpty && stream.all("completed").count == 3)
    }

    @Test("with mirrors have the next one tried, and the stream says which", arguments: transports)
    func mirrors(_ transport: String) async throws {
        let first = try LoopbackServer(.text("none", status: "404 Not Found"))
        let second = try LoopbackServer(.bytes(100_000))
        defer { for each in [first, second] { each.stop() } }
        let folder = try TemporaryFolder()
        folder.write("list", "\(first.url("/f"))\t\(second.url("/g?token=s3cret"))\n")
        let run = try await Self.run(["-f", "jsonl", "-i", "list"], in: folder, transport: transport)
        #expect(run.exit == 0 && folder.names == ["f", "list"], "\(run.complaintText)")
        #expect(first.record.requests.count == 1 && second.record.requests.map(\.target) == ["/g?token=s3cret"])
        let stream = try EventStream(run.output)
        #expect(stream.faults.isEmpty)
        #expect(stream.all("attempt").map { $0["url"]?.string } == [nil, second.url("/g?token=…")])
        #expect(stream.all("retrying").map { $0["delay"]?.number } == [0])
    }

    @Test("are only talked about with --dry-run: no request is made and no file touched", arguments: ["log", "jsonl"])
    func dryRun(_ frontend: String) async throws {
        let server = try LoopbackServer(.text("x"))
        defer { server.stop() }
        let folder = try TemporaryFolder()
        folder.write("there", "1234")
        folder.write("begun.part", "1234")
        let urls = ["/new", "/there", "/begun"].map { server.url($0) }
        let run = try await Self.run(
            ["-f", frontend, "--dry-run", "--events", "e", "-o", "{name}"] + urls, in: folder)
        #expect(run.exit == 0 && server.record.requests.isEmpty && folder.names == ["begun.part", "there"])
        if frontend == "log" {
            #expect(
                run.outputText == """
                    fetch     \(urls[0]) -> new
                    skip      \(urls[1]) -> there  exists
                    fetch     \(urls[2]) -> begun  from the beginning: no_validator

                    """)
            #expect(run.complaintText == "whirl: 2 to fetch, 1 to skip; nothing was touched\n")
        } else {
            let stream = try EventStream(run.output)
            #expect(stream.faults.isEmpty)
            #expect(stream.all("planned").map { $0["action"]?.string } == ["fetch", "skip", "fetch"])
        }
    }

    @Test("are shared by machines: of four runs each fetches its own part, all together everything once")
    func shards() async throws {
        let server = try LoopbackServer { .text("body of \($0.path)\n") }
        defer { server.stop() }
        let folder = try TemporaryFolder()
        folder.write("list", (0..<40).map { server.url("/f\($0)") + "\n" }.joined())
        let command = """
            parallel --will-cite -j2 '"$WHIRL" --shard {}/4 -f none --events e{} -o "{{index}-{{name}" -d down -i list' \
            ::: 1 2 3 4
            """
        let run = try await Self.shell(command.replacing("{{", with: "{"), in: folder)
        #expect(run.exit == 0, "\(run.complaintText)")
        #expect(folder.names(in: "down") == (0..<40).map { "\($0 + 1)-f\($0)" }.sorted())
        #expect(Set(server.record.requests.map(\.path)).count == 40 && server.record.requests.count == 40)
        let counts = try (1...4).map { try EventStream(try #require(folder.read("e\($0)"))).all("completed").count }
        #expect(counts.reduce(0, +) == 40 && counts.allSatisfy { $0 < 40 })
        let report = try await Self.shell("\"$WHIRL\" report e1 e2 e3 e4", in: folder)
        #expect(report.exit == 0 && report.outputText.hasPrefix("whirl: 40 done, 0 failed, 0 cancelled"))
        // Of a list of one URL all parts but one are empty.
        let codes = try await Self.shell(
            "for k in 1 2 3; do \"$WHIRL\" -q --shard $k/3 -d one \(server.url("/x")) || echo no; done", in: folder)
        #expect(codes.outputText.isEmpty && folder.names(in: "one") == ["x"])
    }
}
