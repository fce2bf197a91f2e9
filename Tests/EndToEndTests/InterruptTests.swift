#if Curl
import Glibc
import Testing
import WhirlLoopback

@Suite("--on-interrupt drain", .timeLimit(.minutes(2))) struct InterruptTests {
    /// A run with one transfer half-way and a list that says nothing more.
    private struct Scene {
        let gate = Gate()
        let folder: TemporaryFolder
        let server: LoopbackServer
        let program: Program
        private let list: Int32

        init(_ arguments: [String] = [], more: [String] = []) async throws {
            folder = try TemporaryFolder()
            let server = try LoopbackServer(.file(size: 1_000_000, pace: .gate(gate, at: 400_000)))
            self.server = server
            let path = folder.path + "/list"
            unsafe mkfifo(path, 0o600)
            list = unsafe open(path, O_RDWR | O_CLOEXEC)
            let line = Array((["/a"] + more).map { server.url($0) + "\n" }.joined().utf8)
            _ = unsafe write(list, line, line.count)
            program = try Program(
                Program.whirl,
                ["-t", "curl", "-f", "jsonl", "--events", "events", "--on-interrupt", "drain", "-i", "list"]
                    + arguments,
                folder: folder.path)
            _ = await server.until { $0.bodySent == 400_000 }
            // The first may run before those behind it are read.
            #expect(
                try await Self.isTold(folder) { text in
                    text.ranges(of: "\"type\":\"created\"").count == more.count + 1
                })
        }

        /// Looks again and again for up to 10 s: a file tells nobody that it has grown.
        private static func isTold(
            _ folder: TemporaryFolder, _ condition: @escaping @Sendable (String) -> Bool
        ) async throws -> Bool {
            try await aside {
                for _ in 0..<1000 {
                    if condition(String(decoding: folder.read("events") ?? [], as: UTF8.self)) { return true }
                    _ = poll(nil, 0, 10)
                }
                return false
            }
        }

        /// The first INT, and that it was heard.
        func interrupt() async throws {
            program.signal(SIGINT)
            #expect(try await Self.isTold(folder) { $0.contains("interrupted") })
        }

        func end() async throws -> (exit: Int32, stream: EventStream) {
            defer {
                close(list)
                server.stop()
            }
            let run = try await program.wait()
            return (run.exit, try EventStream(run.output))
        }
    }

    @Test("lets what runs end and reads no more, exit 5")
    func drains() async throws {
        let scene = try await Scene()
        try await scene.interrupt()
        scene.gate.open()
        let (exit, stream) = try await scene.end()
        #expect(exit == 5 && stream.faults.isEmpty && stream.records.last?["exit"]?.integer == 5)
        #expect(stream.all("completed").count == 1 && scene.folder.read("a")?.count == 1_000_000)
        #expect(
            stream.all("warning").map { $0["message"]?.string } == [
                "interrupted: what runs may end, nothing else starts; another Ctrl-C ends the run"
            ])
    }

    @Test("lets what waits for its turn go, as cancelled")
    func queued() async throws {
        let scene = try await Scene(["-j", "1"], more: ["/b", "/c"])
        try await scene.interrupt()
        scene.gate.open()
        let (exit, stream) = try await scene.end()
        #expect(exit == 5 && stream.faults.isEmpty)
        #expect(stream.all("cancelled").map { $0["reason"]?.string } == ["drain", "drain"])
        #expect(stream.all("completed").count == 1 && scene.server.record.requests.count == 1)
    }

    @Test("quits at the second INT, as the first would have done without it")
    func second() async throws {
        let scene = try await Scene()
        try await scene.interrupt()
        scene.program.signal(SIGINT)
        let (exit, stream) = try await scene.end()
        #expect(exit == 130 && stream.faults.isEmpty && stream.records.last?["exit"]?.integer == 130)
        #expect(stream.all("cancelled").map { $0["reason"]?.string } == ["signal"])
    }

    @Test("quits at TERM and HUP, before and after an INT", arguments: [SIGTERM, SIGHUP], [false, true])
    func others(_ number: Int32, _ isSecond: Bool) async throws {
        let scene = try await Scene()
        if isSecond { try await scene.interrupt() }
        scene.program.signal(number)
        let (exit, stream) = try await scene.end()
        #expect(exit == 128 + number && stream.faults.isEmpty)
        #expect(stream.all("cancelled").map { $0["reason"]?.string } == ["signal"])
    }
}
#endif
