#if Curl
import Glibc
import Testing
import WhirlInMemory
import WhirlLoopback

@Suite("--control", .timeLimit(.minutes(2))) struct ControlTests {
    /// A run with one transfer that has come half-way, and a socket to command it by.
    private struct Scene {
        let gate = Gate()
        let folder: TemporaryFolder
        let server: LoopbackServer
        let program: Program

        init(_ options: String = "", before: String = "") async throws {
            folder = try TemporaryFolder()
            server = try LoopbackServer(.file(size: 1_000_000, pace: .gate(gate, at: 400_000)))
            program = try ControlTests.start(
                "\(before) exec whirl -t curl -f jsonl --control unix:s \(options) \(server.url("/a"))", in: folder)
            if !options.contains("--start-paused") { _ = await server.until { $0.bodySent == 400_000 } }
        }

        /// Connects as soon as there is a socket.
        func connect() async throws -> SocketPeer {
            try #require(await aside { ControlTests.connect(folder.path + "/s") })
        }

        /// Waits for the news that all is received that was sent.
        func isReceived(_ peer: SocketPeer) async throws -> Bool {
            try await aside { peer.readLine(with: "\"received\":400000") } != nil
        }

        func end() async throws -> (exit: Int32, stream: EventStream) {
            gate.open()
            let run = try await program.wait()
            server.stop()
            #expect(run.complaintText.isEmpty, "\(run.complaintText)")
            return (run.exit, try EventStream(run.output))
        }
    }

    private static func start(_ command: String, in folder: TemporaryFolder) throws -> Program {
        try Program(
            "bash", ["-c", command.replacing(" whirl ", with: " \(Program.whirl) ")], folder: folder.path)
    }

    /// Looks again and again for up to 20 s: a socket that is made tells nobody.
    private static func connect(_ path: String) -> SocketPeer? {
        for _ in 0..<2000 {
            if let peer = SocketPeer(path) { return peer }
            _ = poll(nil, 0, 10)
        }
        return nil
    }

    /// Writes to a FIFO that a run reads, which waits until it does.
    private static func open(_ path: String) async throws -> Int32 {
        try await aside { unsafe Glibc.open(path, O_WRONLY | O_CLOEXEC) }
    }

    private static func send(_ line: String, to descriptor: Int32) {
        let text = line + "\n"
        _ = unsafe write(descriptor, text, text.utf8.count)
    }

    // MARK: where commands come from

    @Test("fd:N adds transfers to a run without any, which ends with the input when nothing is left")
    func descriptor() async throws {
        let folder = try TemporaryFolder()
        let server = try LoopbackServer(.file(size: 1000))
        defer { server.stop() }
        unsafe mkfifo(folder.path + "/c", 0o600)
        let program = try Self.start("exec whirl -t curl -f jsonl -d out --control fd:3 3<c", in: folder)
        let input = try await Self.open(folder.path + "/c")
        Self.send(#"{"id":"one","command":"add","request":{"url":"\#(server.url("/a"))"}}"#, to: input)
        _ = await server.until { $0.requests.first?.isAnswered == true }
        Self.send(
            #"{"id":"two","command":"add","request":{"url":"\#(server.url("/b"))","destination":"c"}}"#, to: input)
        close(input)
        let run = try await program.wait()
        let stream = try EventStream(run.output)
        #expect(run.exit == 0 && stream.faults.isEmpty && folder.names(in: "out") == ["a", "c"])
        #expect(stream.all("ack").map { $0["id"]?.string } == ["one", "two"])
        #expect(stream.all("ack").map { $0["task"]?.integer } == stream.all("created").map { $0["task"]?.integer })
    }

    @Test("what a program adds has a number of its own beside those of a list, and of one that comes through a pipe")
    func numbers() async throws {
        let folder = try TemporaryFolder()
        let server = try LoopbackServer(.file(size: 1000))
        defer { server.stop() }
        folder.write("list", [server.url("/one"), server.url("/two")].joined(separator: "\n"))
        unsafe mkfifo(folder.path + "/c", 0o600)
        unsafe mkfifo(folder.path + "/pipe", 0o600)
        let program = try Self.start(
            "exec whirl -t curl -f jsonl -o 'f{index}' -d out -i list -i pipe --control fd:3 3<c", in: folder)
        let (input, pipe) = (try await Self.open(folder.path + "/c"), try await Self.open(folder.path + "/pipe"))
        Self.send(#"{"id":1,"command":"add","request":{"url":"\#(server.url("/added"))"}}"#, to: input)
        _ = await server.until { $0.requests.filter(\.isAnswered).count == 3 }
        Self.send(server.url("/three"), to: pipe)
        close(pipe)
        close(input)
        let run = try await program.wait()
        #expect(run.exit == 0 && folder.names(in: "out").sorted() == ["f1", "f2", "f3", "f4"], "\(run.complaintText)")
    }

    @Test("a run with a URL ends when that has ended, whether commands could still come or not")
    func ends() async throws {
        let folder = try TemporaryFolder()
        let server = try LoopbackServer(.text("x"))
        defer { server.stop() }
        unsafe mkfifo(folder.path + "/c", 0o600)
        let program = try Self.start("exec whirl -t curl -f none --control c \(server.url("/a"))", in: folder)
        #expect(try await program.wait().exit == 0)
    }

    @Test("FILE is a script: read to its end, each line answered, and what is wrong refused")
    func script() async throws {
        let folder = try TemporaryFolder()
        let server = try LoopbackServer(.file(size: 1000))
        defer { server.stop() }
        let lines = [
            "", #"{"id":1,"command":"add","request":{"url":"\#(server.url("/a"))"}}"#, "what?",
            #"{"id":2,"command":"suspend","task":77}"#, #"{"id":3,"command":"set","jobs":2,"rate":5000000}"#,
            #"{"id":4,"command":"add","request":{"url":"\#(server.url("/other/a"))"}}"#,
            #"{"id":5,"command":"add","request":{"url":"no-scheme"}}"#,
            String(repeating: "x", count: 2_000_000), #"{"id":6,"command":"resume","task":"all"}"#,
        ]
        folder.write("script", lines.joined(separator: "\n"))
        let run = try await Self.start("exec whirl -t curl -f jsonl --control script", in: folder).wait()
        let stream = try EventStream(run.output)
        #expect(run.exit == 0 && stream.faults.isEmpty && run.complaintText.isEmpty)
        #expect(stream.all("ack").map { $0["id"]?.integer } == [1, 3, 6])
        let refused = stream.all("rejected")
        #expect(refused.map { $0["id"]?.integer } == [nil, 2, 4, 5, nil])
        #expect(refused.allSatisfy { $0["error"]?["code"]?.string == "usage" })
        let sentences = refused.map { $0["error"]?["message"]?.string ?? "" }
        #expect(
            sentences[1] == "there is no task 77; its number is in created"
                && sentences[4] == "a command has at most 1 MiB")
        #expect(sentences[2].contains("would be written to a, as another URL is"))
    }

    @Test("a script that ends while something is paused is told of, as nothing else could resume it")
    func paused() async throws {
        let folder = try TemporaryFolder()
        let server = try LoopbackServer(.text("x"))
        defer { server.stop() }
        unsafe mkfifo(folder.path + "/c", 0o600)
        let program = try Self.start(
            "exec whirl -t urlsession -f jsonl --events e --start-paused --control fd:3 \(server.url("/a")) 3<c",
            in: folder)
        let input = try await Self.open(folder.path + "/c")
        Self.send(#"{"command":"set","rate":5}"#, to: input)
        Self.send(#"{"command":"suspend","task":"all"}"#, to: input)
        close(input)
        let said = "no more commands can come; what is paused stays so until Ctrl-C ends the run"
        let isTold = try await aside {
            for _ in 0..<2000 {
                if String(decoding: folder.read("e") ?? [], as: UTF8.self).contains(said) { return true }
                _ = poll(nil, 0, 10)
            }
            return false
        }
        #expect(isTold)
        program.signal(SIGTERM)
        let stream = try await EventStream(program.wait().output)
        #expect(
            stream.all("rejected").map { $0["error"]?["message"]?.string }
                == ["the transport urlsession can't limit rates; start the run with another (-t)"])
    }

    @Test("a run that drains takes nothing more")
    func drained() async throws {
        let scene = try await Scene()
        let peer = try await scene.connect()
        peer.send(#"{"id":1,"command":"drain"}"#)
        peer.send(#"{"id":2,"command":"add","request":{"url":"http://127.0.0.1:9/b"}}"#)
        let line = try await aside { peer.readLine(with: "rejected") }
        #expect(line?.contains("the run takes no more transfers; start another") == true)
        let (exit, _) = try await scene.end()
        #expect(exit == 0)
    }

    // MARK: the socket

    @Test("unix:PATH is for the same user alone, whatever the umask, and gone at the end", arguments: ["0", "0777"])
    func socket(_ mask: String) async throws {
        let scene = try await Scene(before: "umask \(mask);")
        var status = stat()
        #expect(unsafe lstat(scene.folder.path + "/s", &status) == 0 && status.st_mode == S_IFSOCK | 0o600)
        let (exit, stream) = try await scene.end()
        #expect(exit == 0 && stream.faults.isEmpty && !scene.folder.names.contains("s"))
    }

    @Test("any number of clients command one run, and all see what it does; answers are for who asked")
    func clients() async throws {
        let scene = try await Scene()
        let (one, other) = (try await scene.connect(), try await scene.connect())
        #expect(try await scene.isReceived(one))
        one.send(#"{"id":1,"command":"suspend","task":"all"}"#)
        let seen = try await aside { (one.readLine(with: "\"ack\""), other.readLine(with: "\"suspended\"")) }
        #expect(seen.0?.contains("\"id\":1") == true && seen.1?.contains("\"received\":400000") == true)
        other.send(#"{"id":9,"command":"quit"}"#)
        let end = try await aside { (one.readLine(with: "\"end\""), other.readLine(with: "\"ack\"")) }
        #expect(end.0?.contains("\"exit\":5") == true && end.1?.contains("\"id\":9") == true)
        #expect(try await aside { one.readLine() } == nil)
        let (exit, stream) = try await scene.end()
        #expect(exit == 5 && stream.faults.isEmpty && stream.all("ack").count == 2)
        #expect(stream.all("cancelled").map { $0["reason"]?.string } == ["user"])
    }

    @Test("what a killed run left is replaced, what a living one has is refused")
    func stale() async throws {
        let scene = try await Scene()
        let second = try await Self.start("exec whirl --control unix:s http://127.0.0.1:9/", in: scene.folder).wait()
        let sentence = "whirl: --control: the socket s is taken: another process listens there; name another path\n"
        #expect(second.exit == 2 && second.complaintText == sentence)
        scene.program.signal(SIGKILL)
        _ = try await scene.program.wait()
        #expect(scene.folder.names.contains("s"))
        scene.folder.write("url", scene.server.url("/b") + "\n")
        scene.gate.open()
        let third = try await Self.start("exec whirl -q --control unix:s -i url", in: scene.folder).wait()
        #expect(third.exit == 0 && !scene.folder.names.contains("s"), "\(third.complaintText)")
        scene.server.stop()
    }

    @Test("the socket goes with the run, whatever ends it", arguments: [[SIGTERM], [SIGHUP], [SIGINT, SIGINT]])
    func signals(_ numbers: [Int32]) async throws {
        let scene = try await Scene()
        for number in numbers { scene.program.signal(number) }
        let run = try await scene.program.wait()
        #expect(run.exit == 128 + numbers[0] && !scene.folder.names.contains("s"))
        scene.server.stop()
    }

    @Test("another user gets nothing, even where the file's mode would let him", .enabled(if: geteuid() == 0))
    func stranger() async throws {
        let scene = try await Scene()
        unsafe chmod(scene.folder.path, 0o711)
        unsafe chmod(scene.folder.path + "/s", 0o666)
        let client = """
            import os, socket
            os.setuid(65534)
            with socket.socket(socket.AF_UNIX) as run:
                run.connect("\(scene.folder.path)/s")
                print(run.recv(100))
            """
        let run = try await Program.run("python3", ["-c", client])
        #expect(run.outputText == "b''\n", "\(run.complaintText)")
        #expect(try await scene.end().exit == 0)
    }

    // MARK: what is said

    @Test("nothing of a secret in an added request comes out")
    func secrets() async throws {
        let folder = try TemporaryFolder()
        let server = try LoopbackServer(.text("x", status: "401 Unauthorized"))
        defer { server.stop() }
        let url = server.url("/a?token=canary").replacing("http://", with: "http://me:canary@")
        let request = #"{"url":"\#(url)","headers":{"X-Api-Key":"canary"}}"#
        let lines = [
            #"{"id":1,"command":"add","request":\#(request)}"#, #"{"id":2,"command":"add","request":\#(request)}"#,
            #"{"id":3,"command":"add","request":{"url":"ftp://me:canary@h/"}}"#,
            #"{"id":4,"command":"add","request":{"url":"\#(url)","size":"canary"}}"#,
        ]
        folder.write("script", lines.joined(separator: "\n"))
        let run = try await Self.start(
            "exec whirl -t curl -f log -v --events e --retries 0 --control script", in: folder
        ).wait()
        #expect(run.exit == 1 && server.record.requests.first?["x-api-key"] == "canary")
        let told = run.complaintText + String(decoding: folder.read("e") ?? [], as: UTF8.self)
        #expect(told.contains("rejected") && !told.contains("canary"), "\(told)")
    }

    @Test(
        "can't be what makes no sense, which is said before anything starts",
        arguments: [
            ("--control -", "whirl: --control: '-' is no file; write fd:0 for stdin\n"),
            (
                "-i - --control fd:0",
                "whirl: --control fd:0 and a list from stdin can't both have it; use another descriptor\n"
            ),
            (
                "--control fd:7",
                "whirl: --control: commands can't be read: fd:7 is not open for reading; whoever starts whirl has to open it\n"
            ),
            ("--control fd:9", "whirl: --control: fd:9 is not open; whoever starts whirl has to open it\n"),
            ("--events fd:9", "whirl: --events: fd:9 is not open; whoever starts whirl has to open it\n"),
            (
                "--control none",
                "whirl: --control: commands can't be read from none: No such file or directory; look whether the name is right\n"
            ),
            (
                "--control .",
                "whirl: --control: commands can't be read from .: it is a folder; name a file, or unix:PATH\n"
            ),
            ("--control unix:/", "whirl: --control: / exists and is no socket; name another path\n"),
            (
                "--start-paused -f log",
                "whirl: --start-paused: nothing here could resume the transfers; use it with -f ncurses or --control\n"
            ),
        ])
    func refused(_ options: String, _ sentence: String) async throws {
        let folder = try TemporaryFolder()
        let server = try LoopbackServer(.text("x"))
        defer { server.stop() }
        let run = try await Self.start(
            "exec whirl \(options) \(server.url("/a")) 7>/dev/null", in: folder
        ).wait()
        #expect(run.exit == 2 && run.complaintText == sentence, "\(run.complaintText)")
        #expect(server.record.requests.isEmpty)
    }

    @Test("--start-paused asks no server for anything until a command resumes")
    func startsPaused() async throws {
        let scene = try await Scene("--start-paused")
        let peer = try await scene.connect()
        peer.send(#"{"id":1,"command":"set","jobs":3}"#)
        _ = try await aside { peer.readLine(with: "\"ack\"") }
        #expect(scene.server.record.requests.isEmpty)
        peer.send(#"{"id":2,"command":"resume","task":"all"}"#)
        let (exit, stream) = try await scene.end()
        #expect(exit == 0 && stream.faults.isEmpty && scene.server.record.requests.count == 1)
        #expect(stream.all("suspended").isEmpty)
    }

    @Test("resume of all holds for what the list still brings, too")
    func resumesWhatComes() async throws {
        let folder = try TemporaryFolder()
        let server = try LoopbackServer(.file(size: 1000))
        defer { server.stop() }
        unsafe mkfifo(folder.path + "/l", 0o600)
        let program = try Self.start(
            "exec whirl -t curl -f jsonl -d out --control unix:s --start-paused -i l", in: folder)
        let list = try await Self.open(folder.path + "/l")
        let peer = try #require(await aside { Self.connect(folder.path + "/s") })
        peer.send(#"{"id":1,"command":"resume","task":"all"}"#)
        _ = try await aside { peer.readLine(with: "\"ack\"") }
        Self.send(server.url("/a"), to: list)
        close(list)
        let run = try await program.wait()
        #expect(run.exit == 0 && run.complaintText.isEmpty, "\(run.complaintText)")
        #expect(folder.names(in: "out") == ["a"])
    }

    @Test("the Python client of the examples pauses a run: the server falls silent, and goes on at its word")
    func example() async throws {
        let scene = try await Scene()
        #expect(try await scene.isReceived(scene.connect()))
        unsafe mkfifo(scene.folder.path + "/return", 0o600)
        let client = Program.examples + "/Control/pause.py"
        let example = try Program("bash", ["-c", "exec python3 \(client) s <return"], folder: scene.folder.path)
        let input = try await Self.open(scene.folder.path + "/return")
        // The client has paused it when the exchange is over.
        _ = await scene.server.until { $0.requests.first?.clientLeft == true }
        scene.gate.open()
        #expect(scene.server.record.requests.map(\.bodySent) == [400_000])
        Self.send("", to: input)
        close(input)
        let run = try await example.wait()
        #expect(run.exit == 0 && run.outputText == "paused\nresumed\n", "\(run.complaintText)")
        let (exit, stream) = try await scene.end()
        #expect(exit == 0 && stream.faults.isEmpty)
        #expect(scene.server.record.requests.map { $0["range"] } == [nil, "bytes=400000-"])
        #expect(BodyPattern(1).matches(try #require(scene.folder.read("a"))))
    }
}
#endif
