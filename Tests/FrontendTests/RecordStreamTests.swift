import Glibc
import Synchronization
import Testing
import WhirlBoard
import WhirlCore

@testable import WhirlJSONLines

/// A stream without a thread, over a descriptor that fails when told to.
private final class StreamScript: Sendable {
    private struct Sink {
        var output: [UInt8] = []
        var errno: Int32 = 0
        /// How many bytes still go through before the error.
        var room = Int.max
    }
    let clock = StageClock()
    private let sink = Mutex(Sink())
    private let stream: Mutex<RecordStream?> = Mutex(nil)

    init(progressInterval: Double? = 0.5, most: Int = 10_000) {
        let writer = LineWriter(-1) { [unowned self] _, bytes in
            sink.withLock { sink in
                let count = min(sink.room, bytes.byteCount)
                guard count > 0 else { return -Int(sink.errno) }
                unsafe bytes.extracting(first: count).withUnsafeBytes { unsafe sink.output.append(contentsOf: $0) }
                if sink.room != .max { sink.room -= count }
                return count
            }
        }
        let made = RecordStream(writer, progressInterval: progressInterval, retryInterval: 5, most: most, at: clock.now)
        stream.withLock { $0 = made }
    }

    func with<T: Sendable>(_ body: (inout RecordStream) -> T) -> T? {
        stream.withLock { stream -> T? in
            guard var taken = stream.take() else { return nil }
            let result = body(&taken)
            stream = taken
            return result
        }
    }

    var stage: Stage {
        let stage = Stage(
            clock: clock, receive: { [unowned self] record in with { $0.put(record, at: clock.now) } ?? () },
            follow: { _ in })
        stage.begin()
        return stage
    }

    /// What the thread does with an indicator that has news.
    @discardableResult func tick(_ task: StageTask) -> Bool {
        with { $0.put(task.life.id, task.life.snapshot, at: clock.now) } ?? false
    }

    func flush(isLast: Bool = false) { with { $0.flush(isLast: isLast, at: clock.now) } }

    func fail(_ errno: Int32, after room: Int = 0) {
        sink.withLock { ($0.errno, $0.room) = (errno, room) }
    }

    func recover() { sink.withLock { $0.room = .max } }

    var text: String { String(decoding: sink.withLock { $0.output }, as: UTF8.self) }
    var condition: RecordStream.Condition? { with { $0.condition } }
    var records: [JSONValue] {
        get throws {
            flush()
            return try parseStream(text)
        }
    }
}

@Suite struct RecordStreamTests {
    @Test("Order within a task: last exact progress, retrying, attempt, restarted, progress; nothing after the end")
    func order() throws {
        let script = StreamScript()
        let stage = script.stage
        let task = stage.start()
        task.core.report(received: 100, total: 1000)
        script.clock.advance(1)
        script.tick(task)
        task.core.report(received: 150, total: 1000)
        task.core.retry(after: 1.5, error: TransferError(.reset, "reset"))
        task.core.beginAttempt()
        task.core.restart(reason: "changed")
        task.core.report(received: 50, total: 1000)
        script.clock.advance(1)
        script.tick(task)
        task.core.report(received: 1000, total: 1000)
        task.complete()
        script.clock.advance(1)
        script.tick(task)
        stage.end()
        stage.send(.warning("too late"))
        let records = try script.records
        #expect(
            records.types == [
                "run", "created", "resumed", "attempt", "progress", "progress", "retrying", "attempt", "restarted",
                "progress", "progress", "completed", "end",
            ])
        #expect(records.isGapless)
        let told = records.filter { $0["type"] == .string("progress") }
        #expect(told.map { $0["received"]?.number } == [100, 150, 50, 1000])
        #expect(told.map { $0["attempt"]?.number } == [1, 1, 2, 2])
        #expect(told[0]["rate"]?.number == 100)
    }

    @Test("Progress comes at most once in 500 ms, only when something changed, and only while the task runs")
    func rationed() throws {
        let script = StreamScript()
        let task = script.stage.start()
        for step in 1...100 {
            script.clock.advance(0.05)
            task.core.report(received: Int64(step), total: nil)
            script.tick(task)
        }
        #expect(try script.records.types.count { $0 == "progress" } == 10)
        for _ in 0..<100 {
            script.clock.advance(1)
            #expect(script.tick(task))
        }
        #expect(try script.records.types.count { $0 == "progress" } == 11)  // the last of the changes too
        task.core.enter(.verifying)
        #expect(script.tick(task))
        #expect(try script.records.last?["phase"] == .string("verifying"))
        task.suspend()
        task.core.enter(.queued)
        script.clock.advance(1)
        #expect(script.tick(task))
        #expect(try script.records.last?["type"] == .string("suspended"))
        #expect(try script.records.types.count { $0 == "progress" } == 12)
    }

    @Test("News that is too early, or ahead of its events, is asked for again")
    func later() throws {
        let script = StreamScript()
        let task = script.stage.start()
        task.core.report(received: 1, total: nil)
        #expect(script.tick(task))
        task.core.report(received: 2, total: nil)
        #expect(!script.tick(task))
        let unseen = StageTask()
        unseen.resume()
        #expect(script.tick(unseen))  // never heard of
        let muted = Stage(
            clock: script.clock,
            receive: { record in
                if case .task(_, let update) = record.event, update.event == .attempt { return }
                script.with { $0.put(record, at: script.clock.now) }
            }, follow: { _ in })
        let ahead = muted.start()
        ahead.core.report(received: 5, total: nil)
        #expect(!script.tick(ahead))
        #expect(try script.records.of(ahead).types == ["created", "resumed"])
    }

    @Test("A continued transfer counts from its offset; a finished one of which nothing came has no progress")
    func continued() throws {
        let script = StreamScript()
        let stage = script.stage
        let task = stage.start(offset: 900)
        script.clock.advance(1)
        task.core.report(received: 1000, total: 1000)
        task.complete()
        let whole = stage.start(offset: 1000)
        whole.core.report(received: 1000, total: 1000)
        whole.complete()
        let records = try script.records
        #expect(records.of(task).types == ["created", "resumed", "attempt", "progress", "completed"])
        #expect(records.of(task)[3]["rate"]?.number == 100)
        #expect(records.of(whole).types == ["created", "resumed", "attempt", "completed"])
        #expect(records.of(whole)[3]["received"]?.number == 1000)
    }

    @Test("Progress can be switched off")
    func off() throws {
        let script = StreamScript(progressInterval: nil)
        let task = script.stage.start()
        task.core.report(received: 5, total: nil)
        script.clock.advance(1)
        #expect(script.tick(task))
        task.complete()
        #expect(try script.records.types == ["run", "created", "resumed", "attempt", "completed"])
    }

    @Test("Time and elapsed never go back, and progress has times of its own")
    func times() throws {
        let script = StreamScript()
        let task = script.stage.start()
        script.clock.advance(2.25)
        task.core.report(received: 5, total: nil)
        script.tick(task)
        script.with {
            $0.put(RunRecord(elapsed: 1, time: Stage.morning, event: .warning("late")), at: script.clock.now)
        }
        let records = try script.records
        let progress = try #require(records.first { $0["type"] == .string("progress") })
        #expect(progress["elapsed"]?.number == 2.25)
        #expect(progress["time"] == .string("2026-11-30T01:44:59.250Z"))
        #expect(records.last?["elapsed"]?.number == 2.25)
    }

    @Test(
        "After a full disk: the torn line is ended, a lost record comes, then what was kept, without a gap",
        arguments: 0...700)
    func recovery(_ room: Int) throws {
        let script = StreamScript()
        let stage = script.stage
        let task = stage.start()
        script.fail(ENOSPC, after: room)
        script.flush()
        let writtenBefore = script.text
        guard script.condition != .whole else { return }
        script.clock.advance(1)
        task.core.report(received: 10, total: 10)
        task.complete()
        script.flush()
        #expect(script.text == writtenBefore)
        script.recover()
        script.clock.advance(4)
        script.flush()
        #expect(script.condition == .whole)
        stage.end()
        script.flush(isLast: true)
        let whole = script.text.split(separator: "\n").compactMap { try? JSONValue(String($0)) }
        #expect(!script.text.contains("\n\n"))
        #expect(script.text.split(separator: "\n").count - whole.count <= 1)
        #expect(whole.isGapless)
        #expect(
            whole.types.filter { $0 != "lost" } == [
                "run", "created", "resumed", "attempt", "progress", "completed", "end",
            ])
        #expect(whole.first { $0["type"] == .string("lost") }?["count"]?.number == 0)
    }

    @Test("The end stays the last record, wherever its line was torn", arguments: 0...200)
    func tornEnd(_ room: Int) throws {
        let script = StreamScript()
        let stage = script.stage
        script.flush()
        stage.end()
        script.fail(ENOSPC, after: room)
        script.flush()
        script.recover()
        script.flush(isLast: true)
        #expect(script.condition == .whole)
        #expect(script.text.hasSuffix("}\n"))
        let whole = script.text.split(separator: "\n").compactMap { try? JSONValue(String($0)) }
        #expect(whole.isGapless)
        #expect(whole.types.filter { $0 != "lost" } == ["run", "end"])
        #expect(whole.last?["type"] == .string("end"))
    }

    @Test("While it can't be written the newest records are kept and the others counted")
    func ring() throws {
        let script = StreamScript(most: 10)
        let stage = script.stage
        script.flush()
        script.fail(EIO)
        for number in 0..<25 { stage.send(.warning("\(number)")) }
        script.flush()
        for number in 25..<30 { stage.send(.warning("\(number)")) }
        script.clock.advance(6)
        script.flush()  // in vain
        guard case .broken(let reason, _) = script.condition else {
            Issue.record("not broken")
            return
        }
        #expect(reason == "Input/output error")
        script.recover()
        script.flush()
        #expect(script.condition != .whole)
        script.flush(isLast: true)
        let records = try script.records
        #expect(records.types == ["run", "lost"] + [String](repeating: "warning", count: 10))
        #expect(records[1]["count"]?.number == 20)
        #expect(records.last?["message"] == .string("29"))
        #expect(records.isGapless)
    }

    @Test("When the reader is gone nothing more is written", arguments: [EPIPE, ECONNRESET])
    func gone(_ number: Int32) {
        let script = StreamScript()
        let stage = script.stage
        script.fail(number)
        script.flush()
        #expect(script.condition == .readerGone)
        script.recover()
        stage.send(.warning("x"))
        script.flush(isLast: true)
        #expect(script.text == "")
    }

    @Test("A record costs a few microseconds (the limit is for builds without optimisation)")
    func cost() {
        let script = StreamScript()
        let stage = script.stage
        let count = 20_000
        let started = threadSeconds()
        for number in 0..<count { stage.send(.warning("some text number \(number)")) }
        script.flush()
        #expect((threadSeconds() - started) / Double(count) < 200e-6)
    }
}
