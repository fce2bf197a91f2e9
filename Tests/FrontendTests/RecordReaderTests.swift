import Synchronization
import Testing
import WhirlBoard
import WhirlCore

@testable import WhirlJSONLines

@Suite struct RecordReaderTests {
    private static let run =
        #"{"type":"run","seq":0,"time":"2026-11-30T01:44:57.000Z","elapsed":0,"schema":"whirl/1","version":"1","transport":"curl","jobs":8}"#
        + "\n"

    private func read(_ text: String, by size: Int = .max) -> (items: [RecordReader.Item], objection: String?) {
        var reader = RecordReader()
        var items: [RecordReader.Item] = []
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            reader.append(Array(rest.prefix(size)))
            rest = rest.dropFirst(size)
            while let item = reader.next() { items.append(item) }
        }
        reader.finish()
        while let item = reader.next() { items.append(item) }
        return (items, reader.objection)
    }

    private func events(_ text: String) -> [StreamEvent] {
        read(Self.run + text).items.dropFirst().compactMap { item in
            guard case .record(let record) = item else { return nil }
            return record.event
        }
    }

    @Test("Whatever the encoder writes is read as it was", arguments: [1, 7, 1 << 20])
    func roundTrip(_ size: Int) {
        let moment = Moment(elapsed: 1.25, time: Stage.morning)
        let id = TaskID(number: 7)
        let task = StageTask()
        task.resume()
        task.core.beginAttempt(offset: 5)
        task.core.report(received: 10, total: 20)
        let snapshot = task.life.snapshot
        let error = TransferError(.truncated, "short \u{1B}é", transport: "curl", native: 18, status: 200)
        let completion = TaskCompletion(
            status: 206, digests: ["sha256": "ab"], destination: "b", timings: ExchangeTimings(dns: 0.25, wait: 12))
        let description = RunDescription(version: "0.1.0", transport: "curl", jobs: 8)
        let created = TaskDescription(url: "https://h/\u{202E}a", destination: "a", key: "00ff")
        var summary = RunSummary()
        (summary.completed, summary.bytes, summary.exit) = (3, 42, 1)
        var encoder = RecordEncoder()
        encoder.run(moment, description)
        encoder.created(moment, id, created)
        let steps: [TaskEvent] = [
            .resumed, .attempt, .redirected(status: 302, url: "u"), .suspended(reason: "user"),
            .retrying(delay: 1.5, error: error), .restarted(reason: "changed"), .ended(.completed(completion)),
            .ended(.failed(error)), .ended(.skipped(reason: "exists")), .ended(.cancelled(reason: "user")),
        ]
        for step in steps { encoder.task(moment, id, step, snapshot) }
        encoder.progress(moment, id, ProgressLine(attempt: 1, phase: .tls, received: 1, total: nil, rate: 2))
        encoder.warning(moment, "w")
        encoder.lost(moment, 12)
        encoder.end(moment, summary)
        let expected: [StreamEvent] = [
            .run(description, minor: 0), .created(id, created), .resumed(id), .attempt(id, number: 1, offset: 5),
            .redirected(id, status: 302, url: "u"), .suspended(id, received: 10, reason: "user"),
            .retrying(id, delay: 1.5, error), .restarted(id, offset: 5, reason: "changed"),
            .ended(id, .completed(completion), received: 10, total: nil),
            .ended(id, .failed(error), received: 10, total: 20),
            .ended(id, .skipped(reason: "exists"), received: nil, total: nil),
            .ended(id, .cancelled(reason: "user"), received: 10, total: 20),
            .progress(id, received: 1, total: nil, phase: .tls), .warning("w"), .lost(12), .end(summary),
        ]
        let (items, objection) = read(String(decoding: encoder.text.bytes, as: UTF8.self), by: size)
        #expect(objection == nil)
        let records = expected.enumerated().map { index, event in
            RecordReader.Item.record(
                StreamRecord(sequence: Int64(index), elapsed: 1.25, time: Stage.morning, event: event))
        }
        #expect(items == records)
    }

    @Test("Types and members that are not known are no trouble")
    func unknown() {
        let lines = """
            {"type":"nova","seq":1,"task":"x"}

            {"type":"resumed","task":7,"color":{"a":[1]},"seq":2}
            {"type":"progress","task":7,"received":1.0,"total":null,"phase":"dreaming"}
            {"type":"failed","task":7,"error":{"code":"moon","message":"m","retryable":true}}

            """
        let id = TaskID(number: 7)
        let error = TransferError(.internal, "m", isRetryable: true)
        #expect(
            events(lines) == [
                .other("nova"), .resumed(id), .progress(id, received: 1, total: nil, phase: .receiving),
                .ended(id, .failed(error), received: nil, total: nil),
            ])
    }

    @Test(
        "A line that is no record is told with its number, and the next is read",
        arguments: [
            ("[1]", "it is no object with a type"), ("{\"type\":1}", "it is no object with a type"),
            ("nonsense", "it is no JSON"),
            (#"{"type":"resumed"}"#, "resumed has no task"),
            (#"{"type":"resumed","task":-1}"#, "task of resumed is not a whole number from 0"),
            (#"{"type":"resumed","task":1.5}"#, "task of resumed is not a whole number below 2^53"),
            (#"{"type":"created","task":1,"url":5}"#, "url of created is not a string"),
            (#"{"type":"failed","task":1}"#, "failed has no error"),
            (#"{"type":"failed","task":1,"error":{}}"#, "error of failed has no code"),
            (
                #"{"type":"progress","task":1,"received":99999999999999999999}"#,
                "received of progress is not a whole number below 2^53"
            ),
            (#"{"type":"warning","message":"x"#, "it ends too early"),
            (#"{"type":"run","schema":"whirl/2"}"#, "its schema is whirl/2, and this whirl reads whirl/1"),
        ])
    func broken(_ line: String, _ reason: String) {
        let items = read(Self.run + line + "\n" + #"{"type":"warning","message":"next"}"# + "\n").items
        #expect(items.count == 3)
        #expect(items.dropFirst().first == .broken(line: 2, reason: reason))
        #expect(items.last == .record(StreamRecord(event: .warning("next"))))
    }

    @Test("A torn last line is told; a whole one that lacks but its line feed is read")
    func torn() {
        let warning = #"{"type":"warning","message":"next"}"#
        #expect(read(Self.run + warning).items.last == .record(StreamRecord(event: .warning("next"))))
        for length in 1..<warning.utf8.count {
            #expect(read(Self.run + warning.prefix(length)).items.last == .torn(line: 2))
        }
    }

    @Test("A line that is too long takes no memory, and the next is read")
    func long() {
        let long = #"{"type":"warning","message":""# + String(repeating: "x", count: 3 << 20) + "\"}\n"
        let items = read(Self.run + long + #"{"type":"warning","message":"next"}"# + "\n", by: 100_000).items
        #expect(items.count == 3)
        #expect(items.dropFirst().first == .broken(line: 2, reason: "it is longer than 1 MiB"))
    }

    @Test(
        "What is no stream is said to be none",
        arguments: [
            ("", "it is empty"), ("\n\n", "it has no record of type run"), ("{}", "it has no record of type run"),
            ("root:x:0:0", "it is no JSON"),
            (String(repeating: "a line\n", count: 20), "9 lines are no records: it is no JSON"),
            (#"{"type":"warning","message":"x"}"#, "it does not begin with a record of type run"),
            (#"{"type":"run","schema":"whirl/2"}"#, "its schema is whirl/2, and this whirl reads whirl/1"),
            (#"{"type":"run","schema":"other/1"}"#, "its schema is not whirl's"),
            (#"{"type":"run","seq":0,"sch"#, "it is no JSON"),
            ("{}\n" + #"{"type":"run","seq":0,"sch"#, "it breaks off before it begins"),
        ])
    func foreign(_ text: String, _ objection: String) {
        #expect(read(text).objection == objection)
    }

    @Test("A newer minor version, a torn line and lost records before run, and CR LF are no trouble")
    func tolerant() {
        let newer = Self.run.split(separator: "\n")[0].replacing("whirl/1", with: "whirl/1.3")
        let text = #"{"type":"run","seq":0,"ti"# + "\n" + #"{"type":"lost","count":0}"# + "\r\n" + newer + "\r\n"
        let (items, objection) = read("\u{FEFF}" + text)
        #expect(objection == nil && items.count == 3)
        let description = RunDescription(version: "1", transport: "curl", jobs: 8)
        #expect(
            items.last
                == .record(
                    StreamRecord(sequence: 0, elapsed: 0, time: Stage.morning, event: .run(description, minor: 3))))
    }

    @Test("Secrets are taken out where records are made")
    func redacts() {
        var reader = RecordReader(redact: { $0.replacing("secret", with: "…") })
        reader.append(
            Array(
                (Self.run + #"{"type":"created","task":1,"url":"https://secret@h/"}"# + "\n"
                    + #"{"type":"failed","task":1,"error":{"code":"http","message":"at secret"}}"# + "\n"
                    + #"{"type":"warning","message":"secret"}"# + "\n").utf8))
        var all = ""
        while let item = reader.next() { all += "\(item)" }
        #expect(!all.contains("secret") && all.contains("…@h/") && all.contains("at …"))
    }

    @Test("A line costs a few microseconds (the limit is for builds without optimisation)")
    func cost() {
        var encoder = RecordEncoder()
        let moment = Moment(elapsed: 1.25, time: Stage.morning)
        encoder.run(moment, RunDescription(version: "1", transport: "curl", jobs: 8))
        for number in 0..<5000 {
            encoder.progress(
                moment, TaskID(number: UInt64(number)),
                ProgressLine(attempt: 1, phase: .receiving, received: 1, total: 2, rate: 3))
        }
        var reader = RecordReader()
        reader.append(Array(encoder.text.bytes))
        let started = threadSeconds()
        var count = 0
        while reader.next() != nil { count += 1 }
        #expect(count == 5001)
        #expect((threadSeconds() - started) / 5000 < 400e-6)
    }
}
