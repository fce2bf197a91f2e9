#if Curl
import Glibc
import Testing
import WhirlConformance
import WhirlCore
import WhirlLoopback

@Suite("The stream of a run", .timeLimit(.minutes(2))) struct StreamTests {
    /// Everything that a server can do wrong without taking the process down, and some of what it can do right.
    private static func server(_ transport: String) throws -> LoopbackServer {
        var routes: [String: Route] = [
            "/whole": .bytes(300_000), "/empty": .bytes(0), "/away": .redirect(to: "/whole"),
            "/there": .text("x"), "/loop": .redirect(to: "/loop"), "/caf%E9 \u{1B}[31m": .text("x"),
            "/gone": .text("x", status: "410 Gone"),
            "/busy": .text("x", status: "503 Busy", fields: ["Retry-After: 9999"]),
        ]
        for fault in Fault.all where fault.ending(over: transport) != .dies {
            routes["/fault/" + fault.id] = fault.route
        }
        return try LoopbackServer(routes)
    }

    private static let limits = ["--retries", "1", "--idle-timeout", "0.7", "--connect-timeout", "0.7", "-j", "64"]

    @Test("keeps the schema whatever servers do, and a wrong member in any record is found", arguments: transports)
    func faults(_ transport: String) async throws {
        let server = try Self.server(transport)
        defer { server.stop() }
        let folder = try TemporaryFolder()
        folder.write("there", "x")
        let paths = ["/whole", "/empty", "/away", "/there", "/loop", "/gone", "/busy", "/caf%E9%1B[31m"]
        let faults = Fault.all.filter { $0.ending(over: transport) != .dies }.map { "/fault/" + $0.id }
        var list = (paths + faults).map { server.url($0) + " out=" + ($0 == "/there" ? "there" : "f/\($0.hashValue)") }
        list.append(server.url("/whole?token=canary&x=1") + " out=wrong sha256=" + String(repeating: "0", count: 64))
        list.append("http://me:canary@127.0.0.1:1/refused out=refused")
        folder.write("list", list.joined(separator: "\n"))
        let run = try await Program.run(
            Program.whirl, ["-t", transport, "-f", "jsonl", "-i", "list"] + Self.limits, folder: folder.path)
        let stream = try EventStream(run.output)
        #expect(
            stream.faults.isEmpty && run.exit != 0 && stream.records.last?["exit"]?.integer == Int(run.exit),
            "\(run.complaintText)")
        #expect(stream.all("created").count == list.count && stream.all("failed").count > 10)
        #expect(!run.outputText.contains("canary") && !run.complaintText.contains("canary"))
        folder.write("stream", run.output)
        let complaints1 = try await Checkout.complaints("check-stream", ["--plant", "stream"], in: folder)
        #expect(complaints1 == "")
        #expect(try await Program.run("jq", ["-e", ".", "stream"], folder: folder.path).exit == 0)
        try await Self.checkReports(of: "stream", in: folder)
    }

    /// Reports keep other people's rules, and say no secret.
    private static func checkReports(of stream: String, in folder: TemporaryFolder) async throws {
        for (option, name) in [("--har", "r.har"), ("--metrics", "r.prom"), ("--summary", "r.text")] {
            let report = try await Program.run(Program.whirl, ["report", option, stream, stream], folder: folder.path)
            #expect(report.exit == 0 && report.complaints.isEmpty && !report.outputText.contains("canary"))
            folder.write(name, report.output)
        }
        let complaints2 = try await Checkout.complaints("check-report", ["r.har", "r.prom"], in: folder)
        #expect(complaints2 == "")
    }

    @Test("is whole after INT and TERM, with end as its last record, and so is the log", arguments: transports)
    func signals(_ transport: String) async throws {
        for number in [SIGINT, SIGTERM] {
            let gate = Gate()
            let server = try LoopbackServer(.file(size: 1_000_000, pace: .gate(gate, at: 400_000)))
            defer { server.stop() }
            let folder = try TemporaryFolder()
            let program = try Program(
                Program.whirl,
                ["-t", transport, "-f", "none", "--events", "e", "--log-file", "log", server.url("/a")],
                folder: folder.path)
            _ = await server.until { $0.bodySent == 400_000 }
            program.signal(number)
            #expect(try await program.wait().exit == 128 + number)
            gate.open()
            let complaints3 = try await Checkout.complaints("check-stream", ["e"], in: folder)
            #expect(complaints3 == "")
            #expect(try EventStream(try #require(folder.read("e"))).all("cancelled").count == 1)
            #expect(String(decoding: folder.read("log") ?? [], as: UTF8.self).contains("cancel #1 a reason=signal"))
        }
    }

    @Test(
        "on a disk that is full for a while goes on: what was kept follows after a lost record", arguments: transports)
    func fullDisk(_ transport: String) async throws {
        let gate = Gate()
        let server = try LoopbackServer([
            "/a": .file(size: 1_000_000, pace: .gate(gate, at: 400_000)), "/b": .text("x"),
        ])
        defer { server.stop() }
        let folder = try TemporaryFolder()
        folder.make("disk")
        // A disk of 64 KiB with something on it that leaves no room.
        let script = """
            mount -t tmpfs -o size=64k,mode=777 none disk && head -c 65536 /dev/zero >disk/filler
            \(Program.whirl) -t \(transport) -f none --events disk/e --log-file disk/log \(server.url("/b")) \(server.url("/a")) &
            read line <go; rm disk/filler; echo >went; wait $!; code=$?; cp disk/e disk/log . ; exit $code
            """
        let probe = try await Program.run("unshare", ["-m", "mount", "-t", "tmpfs", "none", "/mnt"])
        guard probe.exit == 0 else { return }  // needs the right to mount
        for name in ["go", "went"] { unsafe mkfifo(folder.path + "/" + name, 0o600) }
        let program = try Program("unshare", ["-m", "bash", "-c", script], folder: folder.path)
        _ = await server.until { $0.bodySent >= 400_000 }
        try await aside {
            folder.write("go", "go\n")
            _ = folder.read("went")
        }
        gate.open()
        let run = try await program.wait()
        #expect(run.exit == 0, "\(run.complaintText)")
        let complaints4 = try await Checkout.complaints("check-stream", ["e"], in: folder)
        #expect(complaints4 == "")
        let stream = try EventStream(try #require(folder.read("e")))
        #expect(stream.all("lost").map { $0["count"]?.integer } == [0])
        #expect(stream.all("completed").count == 2 && stream.records.last?["type"]?.string == "end")
        #expect(String(decoding: folder.read("log") ?? [], as: UTF8.self).contains("done   #2 a "))
    }

    @Test("whose reader goes away ends the run with 141 and without a word", arguments: transports)
    func head(_ transport: String) async throws {
        let server = try LoopbackServer(.file(size: 100_000, pace: .rate(50_000)))
        defer { server.stop() }
        let folder = try TemporaryFolder()
        let command = "\(Program.whirl) -t \(transport) -f jsonl \(server.url("/a")) | head -1; exit ${PIPESTATUS[0]}"
        let run = try await Program.run("bash", ["-c", command], folder: folder.path)
        #expect(run.exit == 141 && run.complaints.isEmpty)
        #expect(run.outputText.split(separator: "\n").count == 1)
    }

    @Test("tells progress as often as asked, or never, and the last always")
    func interval() async throws {
        let server = try LoopbackServer(.file(size: 100_000, pace: .rate(100_000)))
        defer { server.stop() }
        for (interval, range) in [("off", 0...0), ("0.05", 5...40), ("60", 1...2)] {
            let folder = try TemporaryFolder()
            let run = try await Program.run(
                Program.whirl, ["-f", "jsonl", "--progress-interval", interval, server.url("/a")], folder: folder.path)
            let progress = try EventStream(run.output).all("progress")
            #expect(range.contains(progress.count), "\(interval): \(progress.count)")
            #expect(interval == "off" || progress.last?["received"]?.integer == 100_000)
        }
        let wrong = try await Program.run(Program.whirl, ["--progress-interval", "often", "http://127.0.0.1/"])
        #expect(wrong.exit == 2 && wrong.complaintText.contains("often"))
    }
}
#endif
