import FoundationEssentials
import Synchronization
import Testing
import WhirlBoard
import WhirlCore

@testable import WhirlJSONLines

/// What a run writes, and what a playback of it writes and shows.
private final class PlaybackScript: Sendable {
    let clock = StageClock()
    let board: Board
    private let text = Mutex<[UInt8]>([])
    private let stream: Mutex<RecordStream?> = Mutex(nil)
    private let lamps = Mutex<[TaskID: Lamp]>([:])

    /// Counts what its binding tells it.
    final class Lamp: ActivityIndicator, Sendable {
        let binding = IndicatorBinding()
        let calls = Mutex<[Bool]>([])
        func startAnimating() { calls.withLock { $0.append(true) } }
        func stopAnimating() { calls.withLock { $0.append(false) } }
    }

    init() {
        let clock = clock
        board = Board(clock: { clock.now })
        let writer = LineWriter(-1) { [unowned self] _, bytes in
            text.withLock { text in unsafe bytes.withUnsafeBytes { unsafe text.append(contentsOf: $0) } }
            return bytes.byteCount
        }
        let made = RecordStream(writer, at: clock.now)
        stream.withLock { $0 = made }
    }

    func receive(_ record: RunRecord) {
        board.receive(record)
        stream.withLock { stream in
            stream?.put(record, at: clock.now)
            stream?.flush(at: clock.now)
        }
    }

    func follow(_ task: any TransferTask) {
        board.follow(task)
        let lamp = Lamp()
        lamp.setAnimating(withStateOf: task)
        lamps.withLock { $0[task.life.id] = lamp }
    }

    var stage: Stage { Stage(clock: clock, receive: { self.receive($0) }, follow: { self.follow($0) }) }
    var written: String { String(decoding: text.withLock { $0 }, as: UTF8.self) }
    func calls(_ id: TaskID) -> [Bool] { lamps.withLock { $0[id]?.calls.withLock { $0 } ?? [] } }

    /// Plays streams, one after another, into a new script.
    static func play(_ streams: String..., early reason: String? = nil) -> PlaybackScript {
        let script = PlaybackScript()
        let began = script.clock.now
        var playback = Playback(follow: { script.follow($0) }, receive: { script.receive($0) })
        for stream in streams {
            var reader = RecordReader()
            reader.append(Array(stream.utf8))
            reader.finish()
            while let item = reader.next() {
                if case .record(let record) = item {
                    script.clock.advance(playback.due(record) - Double(script.clock.now - began) / 1e9)
                }
                playback.play(item)
            }
            if reason == nil { playback.endStream() }
        }
        playback.finish(early: reason)
        return script
    }
}

@Suite struct PlaybackTests {
    /// A run in which everything happens.
    private func perform(_ script: PlaybackScript) -> [StageTask] {
        let stage = script.stage
        stage.begin()
        let tasks = [stage.start("a.iso"), stage.start("b.iso"), stage.add("c"), stage.start("d"), stage.start("e")]
        script.clock.advance(1.5)
        tasks[0].core.redirect(status: 302, url: "https://mirror/a.iso")
        tasks[0].core.report(received: 1000, total: 5000)
        tasks[0].suspend()
        script.clock.advance(3)
        tasks[0].resume()
        tasks[0].core.beginAttempt(offset: 1000)
        tasks[1].core.report(received: 700, total: nil)
        tasks[1].core.retry(after: 0.5, error: TransferError(.reset, "connection lost", transport: "curl", native: 56))
        script.clock.advance(0.5)
        tasks[1].core.beginAttempt(offset: 700)
        tasks[1].core.restart(reason: "changed")
        tasks[0].core.report(received: 5000, total: 5000)
        tasks[0].complete()
        tasks[1].core.report(received: 300, total: 900)
        tasks[1].fail(TransferError(.truncated, "the body ended early", transport: "curl", native: 18, status: 200))
        tasks[2].core.end(.skipped(reason: "exists"))
        stage.send(.warning("something \u{1B}[31m"))
        tasks[3].core.report(received: 10, total: 90)
        tasks[3].core.cancel()
        tasks[3].core.end(.cancelled(reason: "user"))
        tasks[4].fail(TransferError(.http, "404 Not Found", status: 404))
        script.clock.advance(0.25)
        var summary = RunSummary()
        (summary.completed, summary.failed, summary.cancelled, summary.skipped) = (1, 2, 1, 1)
        (summary.bytes, summary.wasted, summary.exit) = (6010, 700, 1)
        stage.end(summary)
        return tasks
    }

    @Test("A replayed run writes the same stream, to the byte, and comes to the same summary and rows")
    func same() throws {
        let script = PlaybackScript()
        let tasks = perform(script)
        let played = PlaybackScript.play(script.written)
        #expect(played.written == script.written)
        #expect(played.board.summary() == script.board.summary())
        #expect(script.board.summary().contains("KEPT"))
        for task in tasks {
            var row = try #require(script.board.row(task.life.id))
            // The phase that a task ended in is nothing that a stream tells.
            row.phase = try #require(played.board.row(task.life.id)).phase
            #expect(row == played.board.row(task.life.id))
        }
    }

    @Test("A stream with every record in it is as it was when somebody looked at it, and plays to itself")
    func golden() throws {
        let script = PlaybackScript()
        var stream = ""
        for (index, task) in perform(script).enumerated() {
            stream = stream.isEmpty ? script.written : stream
            let number = task.life.id.number
            for end in [",", "}"] {
                stream = stream.replacing("\"task\":\(number)\(end)", with: "\"task\":\(index + 1)\(end)")
            }
            stream = stream.replacing("\"k\(number)\"", with: "\"k\(index + 1)\"")
        }
        let file = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "Fixtures/streams/everything.jsonl")
        // GOLDEN=write writes it anew; then look at what changed.
        if ProcessInfo.processInfo.environment["GOLDEN"] == "write" {
            try stream.write(to: file, atomically: true, encoding: .utf8)
        }
        #expect(try stream == String(contentsOf: file, encoding: .utf8))
        #expect(PlaybackScript.play(stream).written == stream)
    }

    @Test("Indicators follow replayed tasks as any others: start, stop, start, stop")
    func indicators() {
        let script = PlaybackScript()
        let tasks = perform(script)
        let played = PlaybackScript.play(script.written)
        #expect(played.calls(tasks[0].life.id) == script.calls(tasks[0].life.id))
        #expect(played.calls(tasks[0].life.id).suffix(4) == [true, false, true, false])
    }

    @Test("Of a stream that breaks off anywhere, all that was under way is abandoned, and that is told")
    func cut() throws {
        let script = PlaybackScript()
        _ = perform(script)
        let lines = script.written.split(separator: "\n")
        for count in 1..<lines.count {
            let text = lines.prefix(count).joined(separator: "\n") + "\n"
            let played = PlaybackScript.play(text + lines[count].prefix(5))
            let records = try parseStream(played.written)
            #expect(records.isGapless && records.last?["type"] == .string("end"))
            let created = records.types.count { $0 == "created" }
            #expect(records.types.count { ["completed", "failed", "skipped", "cancelled"].contains($0) } == created)
            let warnings = records.compactMap { $0["type"] == .string("warning") ? $0["message"]?.string : nil }
            #expect(warnings.suffix(2).first == "the last line of the stream is torn")
            #expect(warnings.last?.hasPrefix("the stream ends before its run does") == true)
        }
    }

    @Test("Several runs in a row are one: tasks keep apart, sums add")
    func several() throws {
        let script = PlaybackScript()
        let tasks = perform(script)
        let played = PlaybackScript.play(script.written + script.written, script.written)
        let records = try parseStream(played.written)
        #expect(records.types.count { $0 == "run" } == 1 && records.types.count { $0 == "end" } == 1)
        #expect(
            Set(records.compactMap { $0["type"] == .string("created") ? $0["task"]?.number : nil }).count == 3
                * tasks.count)
        #expect(records.last?["bytes"]?.number == 18030 && records.last?["failed"]?.number == 6)
        #expect(records.last?["elapsed"]?.number == 15.75)
        #expect(played.board.totals.completed == 3 && played.board.totals.failed == 6)
    }

    @Test("What is wrong with a stream is told")
    func flaws() throws {
        let text = """
            {"type":"lost","count":3}
            {"type":"run","seq":7,"schema":"whirl/1.2"}
            {"type":"created","task":1,"url":"https://h/a"}
            {"type":"created","task":1,"url":"https://h/a"}
            {"type":"completed","task":9,"received":1}
            nonsense
            {"type":"progress","seq":12,"task":1,"received":5,"total":9}
            {"type":"completed","task":1,"received":9}
            {"type":"end","seq":13,"completed":1}

            """
        let played = PlaybackScript.play(text)
        let records = try parseStream(played.written)
        #expect(
            records.types == [
                "run", "warning", "warning", "created", "resumed", "progress", "completed", "warning", "warning",
                "warning",
                "end",
            ])
        #expect(
            records.compactMap { $0["message"]?.string } == [
                "3 records are missing here: they could not be written",
                "the stream is of a newer whirl (schema whirl/1.2): what this one does not know is left out",
                "line 6 of the stream is no record: it is no JSON", "records are missing in the stream: 4",
                "records about transfers that the stream does not begin: 2",
            ])
        #expect(played.board.totals.completed == 1)
    }

    @Test("What is wrong with several lines, and a run that has no end, is told in a sentence each")
    func sentences() {
        var flaws = Flaws()
        for line in 3...5 { flaws.note(line, "it is no JSON") }
        flaws.isTorn = true
        flaws.unfinished = 2
        #expect(
            flaws.sentences == [
                "3 lines of the stream are no records, the first of them line 3: it is no JSON",
                "the last line of the stream is torn",
                "the stream ends before its run does; transfers under way then: 2",
            ])
    }

    @Test("A playback that is ended early says why")
    func early() throws {
        let script = PlaybackScript()
        let stage = script.stage
        stage.begin()
        let task = stage.start()
        let played = PlaybackScript.play(script.written, early: "signal")
        let records = try parseStream(played.written)
        #expect(records.of(task).last?["reason"] == .string("signal"))
        #expect(!records.types.contains("warning") && records.last?["cancelled"]?.number == 1)
    }

    @Test("Whatever the records say, nothing traps")
    func fuzz() {
        var random = SystemRandomNumberGenerator()
        let numbers = ["0", "1", "2", "9007199254740991", "-1", "1e300", "null", "\"x\""]
        let types = [
            "run", "created", "resumed", "attempt", "redirected", "progress", "suspended", "retrying", "restarted",
            "completed", "failed", "skipped", "cancelled", "warning", "lost", "end", "ack",
        ]
        func number() -> String { numbers.randomElement(using: &random) ?? "0" }
        for _ in 0..<40 {
            var text = #"{"type":"run","schema":"whirl/1"}"# + "\n"
            for _ in 0..<100 {
                let type = types.randomElement(using: &random) ?? "run"
                text += #"{"type":"\#(type)","seq":\#(number()),"elapsed":\#(number()),"task":\#(number()),"url":"u","#
                text += #""schema":"whirl/1","attempt":\#(number()),"offset":\#(number()),"received":\#(number()),"#
                text += #""total":\#(number()),"delay":\#(number()),"status":\#(number()),"count":\#(number()),"#
                text += #""message":"m","error":{"code":"http"}}"# + "\n"
            }
            _ = PlaybackScript.play(text, text)
        }
    }
}
