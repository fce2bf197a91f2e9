import Glibc
import Testing
import WhirlLoopback

@Suite("An option of the command", .timeLimit(.minutes(2))) struct OptionTests {
    private static let hello = "2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824"

    private struct Scene {
        let server: LoopbackServer
        let folder: TemporaryFolder

        init(_ routes: [String: Route]) throws {
            server = try LoopbackServer(routes)
            folder = try TemporaryFolder()
        }

        func run(
            _ transport: String, _ words: [String]
        ) async throws -> (exit: Int32, stream: EventStream, text: String) {
            let words = words.map { $0.hasPrefix("/") ? server.url($0) : $0 }
            let run = try await Program.run(
                Program.whirl, ["-t", transport, "-f", "jsonl"] + words, folder: folder.path)
            return (run.exit, try EventStream(run.output), run.complaintText)
        }
    }

    @Test("names many files by a template", arguments: transports)
    func template(_ transport: String) async throws {
        let scene = try Scene(["/x/a.txt": .text("1"), "/y/a.txt": .text("2"), "/c": .text("3")])
        scene.folder.write("list", scene.server.url("/c"))
        let run = try await scene.run(
            transport, ["-o", "{host}/{index}-{path}/{stem}.{ext}", "/x/a.txt", "/y/a.txt", "-i", "list"])
        #expect(run.exit == 0 && run.stream.faults.isEmpty, "\(run.text)")
        #expect(scene.folder.names(in: "127.0.0.1") == ["1-x", "2-y", "3-."])
        #expect(scene.folder.read("127.0.0.1/2-y/a.txt") == Array("2".utf8))
    }

    @Test("refuses a template that names nothing, before anything starts", arguments: transports)
    func noTemplate(_ transport: String) async throws {
        let scene = try Scene(["/a": .text("1")])
        let run = try await scene.run(transport, ["-o", "{nmae}", "/a"])
        #expect(run.exit == 2 && run.text.contains("{name}") && scene.server.record.requests.isEmpty)
    }

    @Test("checks a digest, of the URL or of a line", arguments: transports)
    func digests(_ transport: String) async throws {
        let scene = try Scene(["/a": .text("hello"), "/b": .text("hello"), "/c": .text("hello"), "/d": .text("hello")])
        let right = try await scene.run(transport, ["--checksum", "SHA-256:\(Self.hello)", "/a"])
        #expect(right.exit == 0 && scene.folder.read("a") == Array("hello".utf8), "\(right.text)")
        let wrong = String(Self.hello.reversed())
        scene.folder.write(
            "list",
            """
            \(scene.server.url("/b")) sha256=\(Self.hello) size=5
            \(scene.server.url("/c")) sha256=\(wrong)
            \(scene.server.url("/d")) size=6
            """)
        let run = try await scene.run(transport, ["-i", "list"])
        #expect(run.exit == 4 && run.stream.faults.isEmpty, "\(run.text)")
        #expect(
            run.stream.all("failed").map { $0["error"]?["code"]?.string } == ["digest_mismatch", "digest_mismatch"])
        #expect(
            scene.folder.names.contains("b") && !scene.folder.names.contains("c") && !scene.folder.names.contains("d"))
    }

    @Test("bounds the size, the tries and the time", arguments: transports)
    func bounds(_ transport: String) async throws {
        let scene = try Scene([
            "/big": .bytes(2049), "/cut": .short(10, of: 20), "/busy": .text("no", status: "503 Service Unavailable"),
            "/never": .silent,
        ])
        let big = try await scene.run(transport, ["--max-size", "2k", "/big"])
        #expect(big.exit == 1 && big.stream.all("failed").first?["error"]?["code"]?.string == "too_large")
        let cut = try await scene.run(transport, ["--retries", "0", "/cut", "/busy"])
        #expect(cut.exit == 1 && cut.stream.all("attempt").count == 2)
        let once = try await scene.run(transport, ["--retries", "1", "--resume", "never", "/cut"])
        #expect(once.exit == 1 && once.stream.all("attempt").count == 2 && once.stream.all("retrying").count == 1)
        let late = try await scene.run(transport, ["--deadline", "0.3", "/never"])
        #expect(late.exit == 1 && late.stream.all("failed").first?["error"]?["code"]?.string == "timeout")
    }

    @Test("waits no longer for a server than told", arguments: transports)
    func retryAfter(_ transport: String) async throws {
        let busy = Route.text("no", status: "503 Service Unavailable", fields: ["Retry-After: 50"])
        let scene = try Scene(["/busy": busy])
        let run = try await scene.run(transport, ["--retry-after-max", "49", "/busy"])
        #expect(run.exit == 1 && scene.server.record.requests.count == 1)
    }

    @Test("ends the run at the first failure, and reads no more of a list", arguments: transports)
    func failFast(_ transport: String) async throws {
        let scene = try Scene(["/never": .silent])
        let path = scene.folder.path + "/list"
        #expect(unsafe mkfifo(path, 0o600) == 0)
        let list = unsafe open(path, O_RDWR | O_CLOEXEC)
        defer { close(list) }
        let lines = Array("\(scene.server.url("/never"))\n\(scene.server.url("/missing"))\n".utf8)
        _ = unsafe write(list, lines, lines.count)
        let run = try await scene.run(transport, ["--fail-fast", "-i", "list"])
        #expect(run.exit == 1 && run.stream.faults.isEmpty)
        #expect(run.stream.all("failed").count == 1 && run.stream.all("cancelled").count == 1)
    }

    @Test(
        "names and dates a file as the server does, and fetches it again only when it is newer", arguments: transports)
    func remote(_ transport: String) async throws {
        let fields = [
            "Content-Disposition: attachment; filename=\"b.txt\"", "Last-Modified: Sun, 09 Sep 2001 01:46:40 GMT",
            "ETag: \"1\"",
        ]
        let scene = try Scene(["/a": .text("hello", fields: fields)])
        let run = try await scene.run(transport, ["--remote-name", "--remote-time", "/a"])
        var status = stat()
        #expect(run.exit == 0 && scene.folder.names == ["b.txt"], "\(run.text)")
        #expect(unsafe stat(scene.folder.path + "/b.txt", &status) == 0 && status.st_mtim.tv_sec == 1_000_000_000)
        for _ in 0..<2 { _ = try await scene.run(transport, ["--refresh", "-o", "c", "/a"]) }
        #expect(scene.server.record.requests.map { $0["If-None-Match"] }.last == "\"1\"")
    }

    #if Curl
    @Test("limits the rate of the run and of a transfer", arguments: ["--limit-rate", "--limit-rate-per-task"])
    func rate(_ option: String) async throws {
        let scene = try Scene(["/a": .bytes(400_000)])
        let clock = ContinuousClock()
        let begin = clock.now
        let run = try await scene.run("curl", [option, "200k", "/a"])
        #expect(run.exit == 0 && clock.now - begin > .milliseconds(900))
    }
    #endif
}
