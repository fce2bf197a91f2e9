import Glibc
import Synchronization
import Testing
import WhirlBoard
import WhirlCore

@testable import WhirlInMemory
@testable import WhirlJSONLines

@Suite("A control port", .timeLimit(.minutes(1))) struct ControlPortTests {
    /// A port, a run without a transport, and the lines that came.
    private final class Scene: Sendable {
        let folder = TestFolder()
        let port: ControlPort
        let stage: Stage
        let lines = Watched<[String?]>([])
        let ends = Watched<[String?]>([])

        init(_ place: (TestFolder) -> ControlPlace, answering: Bool = false) throws {
            port = try ControlPort(place(folder), patience: 1 << 16)
            stage = Stage(port)
            stage.begin()
            try port.begin(
                take: { [lines, stage] line in
                    lines.change { $0.append(line.map { String(decoding: $0, as: UTF8.self) }) }
                    if answering { stage.send(.answer(CommandAnswer(id: .number(Int64(line?.count ?? -1))))) }
                },
                ended: { [ends] reason in ends.change { $0.append(reason) } })
        }

        static func socket(answering: Bool = false) throws -> Scene {
            try Scene({ .socket($0.path + "/s") }, answering: answering)
        }

        var path: String { folder.path + "/s" }

        func connect() throws -> SocketPeer { try #require(SocketPeer(path)) }
    }

    private static func mode(_ path: String) -> mode_t? {
        var status = stat()
        return unsafe lstat(path, &status) == 0 ? status.st_mode : nil
    }

    private static func complaint(_ place: ControlPlace) -> String? {
        do throws(TransferError) {
            _ = try ControlPort(place)
            return nil
        } catch {
            return error.code == .usage ? error.message : "\(error)"
        }
    }

    // MARK: what comes in

    @Test("hands on each line of a regular file, the last without its end too, and then says that it was all")
    func file() async throws {
        let scene = try Scene { folder in
            folder.write("f", "one\n\nthree\nfour")
            return .file(folder.path + "/f")
        }
        let ends = await scene.ends.until { !$0.isEmpty }
        #expect(scene.lines.value == ["one", "", "three", "four"] && ends == [nil])
        #expect(scene.port.close() == nil)
    }

    @Test("reads a FIFO for one writer after the other")
    func fifo() async throws {
        let scene = try Scene { folder in
            unsafe mkfifo(folder.path + "/f", 0o600)
            return .file(folder.path + "/f")
        }
        for word in ["one", "two"] {
            scene.folder.write("f", word + "\n")
            _ = await scene.lines.until { $0.last == word }
        }
        #expect(scene.ends.value.isEmpty)
        _ = scene.port.close()
    }

    @Test("reads a descriptor to its end and leaves it open")
    func descriptor() async throws {
        let pipe = TestPipe()
        let scene = try Scene { _ in .descriptor(pipe.reader) }
        _ = unsafe write(pipe.writer, "one\ntw", 6)
        _ = await scene.lines.until { $0.count == 1 }
        pipe.closeWriter()
        _ = await scene.ends.until { !$0.isEmpty }
        #expect(scene.lines.value == ["one", "tw"])
        _ = scene.port.close()
        #expect(fcntl(pipe.reader, F_GETFD) >= 0)
        pipe.closeReader()
    }

    @Test("says of a line over 1 MiB that it was too long, once, and takes the next")
    func long() async throws {
        let scene = try Scene.socket()
        let peer = try scene.connect()
        let long = [UInt8](repeating: 0x41, count: ControlPort.longestLine)
        peer.send(long + [0x0A] + long + long + [0x0A] + Array("next\n".utf8))
        let lines = await scene.lines.until { $0.last == "next" }
        #expect(lines.count == 3 && lines[0]?.utf8.count == long.count && lines[1] == nil)
        _ = scene.port.close()
    }

    @Test("can't be what can't be read, and says so in one sentence")
    func refused() {
        let folder = TestFolder()
        folder.write("plain", "x")
        let long = String(repeating: "x", count: 200)
        #expect(Self.complaint(.file(folder.path))?.hasSuffix("it is a folder; name a file, or unix:PATH") == true)
        #expect(
            Self.complaint(.file(folder.path + "/none"))?.hasSuffix(
                "No such file or directory; look whether the name is right") == true)
        #expect(
            Self.complaint(.descriptor(1_000_000))
                == "commands can't be read: fd:1000000 is not open for reading; whoever starts whirl has to open it")
        let there = unsafe open(folder.path, O_RDONLY | O_DIRECTORY)
        defer { close(there) }
        #expect(
            Self.complaint(.descriptor(there))
                == "commands can't be read from fd:\(there): it is a folder; name a file, or unix:PATH")
        let exists = "\(folder.path)/plain exists and is no socket; name another path"
        #expect(Self.complaint(.socket(folder.path + "/plain")) == exists)
        #expect(
            Self.complaint(.socket(folder.path + "/no/s"))?.hasSuffix("No such file or directory; choose another place")
                == true)
        #expect(Self.complaint(.socket(long))?.contains("at most 107 bytes") == true)
        #expect(folder.read("plain") == "x")
    }

    @Test("is named by fd:N, unix:PATH or a path", arguments: ["fd:", "fd:x", "fd:-1", "unix:"])
    func names(_ wrong: String) throws {
        #expect(throws: TransferError.self) { try ControlPlace(wrong) }
        #expect(try ControlPlace("fd:3") == .descriptor(3) && ControlPlace("unix:a/b") == .socket("a/b"))
        #expect(try ControlPlace("a/b") == .file("a/b"))
    }

    // MARK: the socket

    @Test("makes a socket for its own user alone, and takes it away at the end")
    func mode() throws {
        let scene = try Scene.socket()
        #expect(Self.mode(scene.path) == S_IFSOCK | 0o600)
        _ = scene.port.close()
        #expect(Self.mode(scene.path) == nil)
    }

    @Test("refuses a path where another listens, takes that of one who is gone, and leaves another's alone")
    func taken() throws {
        let scene = try Scene.socket()
        #expect(
            Self.complaint(.socket(scene.path))?.hasSuffix("another process listens there; name another path") == true)
        _ = try scene.connect()
        // As one leaves it who is killed: the file stays, and nobody listens.
        unsafe rename(scene.path, scene.path + "2")
        #expect(Self.mode(scene.path) == nil)
        let second = try ControlPort(.socket(scene.path))
        _ = scene.port.close()
        #expect(Self.mode(scene.path) != nil, "it is the second's now")
        _ = second.close()
        #expect(Self.mode(scene.path) == nil)
        var stale: ControlPort? = try ControlPort(.socket(scene.path))
        withExtendedLifetime(stale) {}
        stale = nil
        #expect(Self.mode(scene.path) != nil)
        let third = try ControlPort(.socket(scene.path))
        _ = third.close()
    }

    // MARK: who is connected

    @Test(
        "tells whoever connects of the run from then on: the tasks that have not ended, as they are, then all that comes"
    )
    func watches() throws {
        let scene = try Scene.socket()
        let (done, waiting, paused, running) = (
            scene.stage.start("done"), scene.stage.add("waiting"), scene.stage.start("paused", offset: 5),
            scene.stage.start("running")
        )
        done.complete()
        paused.core.report(received: 7, total: 9)
        paused.suspend()
        running.core.report(received: 3, total: nil)
        let peer = try scene.connect()
        var records: [JSONValue] = []
        func read(until type: String, of task: StageTask? = nil) throws {
            repeat {
                records.append(try JSONValue(try #require(peer.readLine())))
            } while records.last?["type"]?.string
                != type || (task.map { [records.last].compactMap(\.self).of($0).isEmpty } ?? false)
        }
        try read(until: "attempt", of: running)
        running.complete()
        scene.stage.end()
        try read(until: "end")
        #expect(records.isGapless && records.first?["type"]?.string == "run")
        #expect(records.of(done).isEmpty && records.of(waiting).types == ["created"])
        #expect(records.of(paused).types == ["created", "resumed", "attempt", "progress", "suspended"])
        let progress = try #require(records.of(paused).first { $0["type"]?.string == "progress" })
        #expect(progress["received"]?.number == 7 && progress["total"]?.number == 9 && progress["rate"]?.number == 0)
        #expect(records.of(running).types == ["created", "resumed", "attempt", "progress", "completed"])
        _ = scene.port.close()
        #expect(peer.readLine() == nil)
    }

    @Test("tells of progress, and never after the end of a task")
    func progress() throws {
        let scene = try Scene.socket()
        let peer = try scene.connect()
        _ = peer.readLine(with: "\"run\"")
        let task = scene.stage.start()
        _ = peer.readLine(with: "\"attempt\":1")
        task.core.report(received: 3, total: 9)
        #expect(peer.readLine(with: "progress")?.contains("\"received\":3,\"total\":9") == true)
        task.core.report(received: 9, total: 9)
        task.complete()
        #expect(peer.readLine(with: "progress")?.contains("\"received\":9") == true)
        #expect(peer.readLine()?.contains("\"completed\"") == true)
        _ = scene.port.close()
    }

    @Test("answers the one who asked, and nobody else")
    func answers() throws {
        let scene = try Scene.socket(answering: true)
        let (one, other) = (try scene.connect(), try scene.connect())
        _ = (one.readLine(with: "\"run\""), other.readLine(with: "\"run\""))
        one.send("12345")
        #expect(one.readLine(with: "\"ack\"")?.contains("\"id\":5") == true)
        other.send("1234567")
        #expect(other.readLine()?.contains("\"id\":7") == true)
        one.finish()
        scene.stage.end()
        #expect(one.readLine()?.contains("\"end\"") == true, "one who sends no more still sees")
        _ = scene.port.close()
    }

    @Test("a reader that does not read holds nothing up, and is told how much it has lost")
    func slow() throws {
        let scene = try Scene.socket()
        let (slow, quick) = (try scene.connect(), try scene.connect())
        _ = quick.readLine(with: "\"run\"")
        for number in 0..<14_000 {
            scene.stage.send(.warning("\(number) and so on"))
            // As the run goes on for as long as the quick one reads.
            if number % 100 == 99 { _ = quick.readLine(with: "\"\(number) ") }
        }
        #expect(slow.readLine(with: "\"run\"") != nil)
        let lost = try JSONValue(try #require(slow.readLine(with: "\"lost\"")))
        #expect((lost["count"]?.number ?? 0) > 0)
        scene.stage.end()
        #expect(slow.readLine(with: "\"end\"") != nil)
        _ = scene.port.close()
    }

    @Test("does what those say who leave at once, and goes on for the others")
    func gone() async throws {
        let scene = try Scene.socket()
        let quick = try scene.connect()
        for round in 0..<100 {
            try scene.connect().send("\(round)")
            // No more than so many may be connected at a time.
            if round % 10 == 9 { _ = await scene.lines.until { $0.count == round + 1 } }
        }
        #expect(Set(scene.lines.value.compactMap(\.self)).count == 100)
        scene.stage.end()
        #expect(quick.readLine(with: "\"end\"") != nil)
        _ = scene.port.close()
    }
}
