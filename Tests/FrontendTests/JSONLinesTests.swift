import Glibc
import Synchronization
import Testing
import WhirlBoard
import WhirlCore

@testable import WhirlJSONLines

@Suite(.timeLimit(.minutes(1))) struct JSONLinesTests {
    private func configuration(_ descriptor: Int32, interval: Double? = 0.5) -> JSONLines.Configuration {
        var configuration = JSONLines.Configuration()
        configuration.output = .descriptor(descriptor)
        configuration.progressInterval = interval
        return configuration
    }

    @Test("A record is there as soon as its event, a whole line at once")
    func prompt() throws {
        let pipe = TestPipe()
        let stream = try JSONLines(configuration(pipe.writer))
        try stream.open { _ in }
        let stage = Stage(stream)
        stage.begin()
        #expect(try JSONValue(pipe.readLine())["type"] == .string("run"))
        let task = stage.start()
        #expect(try JSONValue(pipe.readLine())["type"] == .string("created"))
        #expect(try JSONValue(pipe.readLine())["type"] == .string("resumed"))
        #expect(try JSONValue(pipe.readLine())["type"] == .string("attempt"))
        task.core.report(received: 7, total: 9)
        let progress = try JSONValue(pipe.readLine())
        #expect(progress["type"] == .string("progress"))
        #expect(progress["attempt"]?.number == 1)
        task.complete()
        stage.end()
        #expect(stream.close() == nil)
        pipe.closeWriter()
        let rest = try parseStream(String(decoding: pipe.read(), as: UTF8.self))
        #expect(rest.last?["type"] == .string("end"))
        #expect(stream.backlog == 0)
        pipe.closeReader()
    }

    @Test("No task is kept alive, before it is told of and after")
    func holdsNoTask() throws {
        let pipe = TestPipe()
        let stream = try JSONLines(configuration(pipe.writer))
        for isTold in [false, true] {
            var task: StageTask? = StageTask()
            weak let kept = task
            if let task { stream.follow(task) }
            if isTold {
                try stream.open { _ in }
                task?.resume()
                task?.core.beginAttempt()
                _ = stream.close()
            }
            task = nil
            #expect(kept == nil)
        }
        pipe.closeWriter()
        pipe.closeReader()
    }

    @Test("An indicator is bound when it is time to tell of progress: a task that ends before has none")
    func bindsLate() throws {
        let file = TestFile()
        let stream = try JSONLines(configuration(file.descriptor))
        let stage = Stage(stream)
        stage.begin()
        let (brief, long) = (stage.start(), stage.start())
        #expect(brief.core.observationCount == 1 && long.core.observationCount == 1)
        brief.complete()
        long.core.report(received: 7, total: 9)
        try stream.open { _ in }
        long.complete()
        stage.end()
        #expect(stream.close() == nil)
        let records = try parseStream(file.text)
        #expect(records.isGapless && records.filter { $0["type"] == .string("completed") }.count == 2)
        #expect(brief.core.observationCount == 0 && long.core.observationCount == 0)
    }

    @Test(
        "Whatever tasks do on many threads, the stream is whole: no gap, one terminal record each, bytes never go back")
    func storm() async throws {
        let file = TestFile()
        let stream = try JSONLines(configuration(file.descriptor, interval: 0))
        try stream.open { _ in }
        let stage = Stage(stream)
        stage.begin()
        let tasks = (0..<64).map { stage.add("t\($0)") }
        await withTaskGroup { group in
            for task in tasks {
                group.addTask {
                    stage.start(task)
                    for step in 1...200 {
                        switch step % 50 {
                        case 10: task.suspend()
                        case 11: task.resume()
                        case 20: task.core.retry(after: 0, error: TransferError(.reset, "reset"))
                        case 21: task.core.beginAttempt(offset: task.life.snapshot.progress.received)
                        case 30: task.core.restart(reason: "changed")
                        default: task.core.report(received: task.life.snapshot.progress.received + 1000, total: nil)
                        }
                    }
                    if task.life.id.number % 2 == 0 { task.complete() } else { task.fail() }
                }
            }
        }
        stage.end()
        #expect(stream.close() == nil)
        let records = try parseStream(file.text)
        #expect(records.isGapless)
        #expect(records.first?["type"] == .string("run"))
        #expect(records.last?["type"] == .string("end"))
        for task in tasks {
            let all = records.of(task)
            #expect(all.types.count { ["completed", "failed"].contains($0) } == 1)
            #expect(["completed", "failed"].contains(all.types.last))
            #expect(all.types.count { $0 == "restarted" } == 4)
            check(all, task)
        }
        #expect(tasks.allSatisfy { $0.core.observationCount == 0 })
    }

    /// Bytes do not go back but by `restarted`, no progress is dropped before a lifecycle record, none repeats.
    private func check(_ records: [JSONValue], _ task: StageTask) {
        var received = 0.0
        var last: JSONValue?
        for record in records {
            switch record["type"]?.string {
            case "progress":
                let next = record["received"]?.number ?? -1
                #expect(next >= received)
                #expect(record["attempt"] == last?["attempt"] || last == nil)
                received = next
            case "restarted": received = 0
            case "attempt": last = record
            case "suspended": #expect(record["received"]?.number == received)
            case "completed": #expect(record["received"]?.number == received)
            default: break
            }
        }
        #expect(received == Double(task.life.snapshot.progress.received))
    }

    @Test("What can't be written, or makes no sense, is refused in one sentence")
    func refused() throws {
        func complaint(_ settings: [String: String]) -> String? {
            do {
                let stream = try JSONLines(JSONLines.Configuration(PluginContext(settings: settings)))
                try stream.open { _ in }
                return nil
            } catch {
                return (error as? TransferError)?.message
            }
        }
        #expect(
            complaint(["events": "fd:1000000"])
                == "the stream can't be written: fd:1000000 is not open for writing; whoever starts whirl has to open it"
        )
        #expect(complaint(["events": "fd:x"]) == "fd:x is no descriptor; write fd: and a number, such as fd:3")
        #expect(
            complaint(["progress-interval": "x"])
                == "progress-interval makes no sense; write a number of seconds, or off")
    }

    @Test("A slow reader loses nothing and holds nobody up; what waits is told")
    func slowReader() throws {
        let pipe = TestPipe()
        _ = fcntl(pipe.writer, F_SETFL, O_NONBLOCK)
        let stream = try JSONLines(configuration(pipe.writer))
        try stream.open { _ in }
        let stage = Stage(stream)
        stage.begin()
        for number in 0..<5000 { stage.send(.warning("warning number \(number)")) }
        #expect(stream.backlog > 100_000)
        stage.end()
        let got = Mutex<[UInt8]>([])
        let reader = try WorkerThread {
            let all = pipe.read()
            got.withLock { $0 = all }
        }
        #expect(stream.close() == nil)
        #expect(stream.backlog == 0)
        pipe.closeWriter()
        reader.join()
        pipe.closeReader()
        let records = try parseStream(String(decoding: got.withLock { $0 }, as: UTF8.self))
        #expect(records.count == 5002)
        #expect(records.isGapless)
    }

    @Test("When the reader goes away the run is asked to quit, once, and close says so")
    func readerGone() throws {
        let pipe = TestPipe()
        let stream = try JSONLines(configuration(pipe.writer))
        let commands = Mutex<[RunCommand]>([])
        let asked = TestPipe()
        try stream.open { command in
            commands.withLock { $0.append(command) }
            asked.closeWriter()
        }
        let stage = Stage(stream)
        stage.begin()
        _ = pipe.readLine()
        pipe.closeReader()
        let task = stage.start()
        _ = asked.read()  // until the command has come
        task.complete()
        for _ in 0..<100 { stage.start().complete() }
        stage.end()
        #expect(stream.close() == .readerGone)
        #expect(stream.backlog == 0)
        #expect(commands.withLock { $0 } == [.quit(reason: "broken_pipe")])
        #expect(task.core.observationCount == 0)
        pipe.closeWriter()
        asked.closeReader()
    }

    @Test("A disk that is full to the end is told by close")
    func fullDisk() throws {
        let full = unsafe open("/dev/full", O_WRONLY)
        defer { close(full) }
        let stream = try JSONLines(configuration(full))
        try stream.open { _ in Issue.record("a full disk ends no run") }
        let stage = Stage(stream)
        stage.begin()
        stage.start().complete()
        stage.end()
        let reason = "the stream of events can't be written to fd:\(full): No space left on device"
        #expect(stream.close() == .notWritten(reason))
    }

    @Test("A stream that was broken for a while goes on by itself")
    func recovers() throws {
        let file = TestFile()
        let isFull = Atomic(true)
        let refused = TestPipe()
        var patient = configuration(file.descriptor)
        patient.retryInterval = 0.01
        let stream = try JSONLines(patient) { descriptor in
            LineWriter(descriptor) { descriptor, bytes in
                guard isFull.load(ordering: .sequentiallyConsistent) else {
                    return unsafe bytes.withUnsafeBytes { unsafe write(descriptor, $0.baseAddress, $0.count) }
                }
                var byte: UInt8 = 0
                _ = unsafe write(refused.writer, &byte, 1)
                return -Int(ENOSPC)
            }
        }
        try stream.open { _ in }
        let stage = Stage(stream)
        stage.begin()
        _ = refused.read(3)  // refused three times
        isFull.store(false, ordering: .sequentiallyConsistent)
        stage.end()
        #expect(stream.close() == nil)
        let records = try parseStream(file.text)
        #expect(records.types == ["lost", "run", "end"])
        #expect(records.isGapless)
        refused.closeReader()
        refused.closeWriter()
    }

    @Test("A descriptor that is not open for writing is a usage error", arguments: [100_000, -1] as [Int32])
    func notOpen(_ descriptor: Int32) {
        let error = #expect(throws: TransferError.self) { try JSONLines(configuration(descriptor)) }
        #expect(error?.code == .usage)
    }

    @Test("A descriptor for reading, or a file that can't be made, is a usage error")
    func notWritable() {
        let pipe = TestPipe()
        let error = #expect(throws: TransferError.self) { try JSONLines(configuration(pipe.reader)) }
        #expect(error?.code == .usage)
        pipe.closeReader()
        pipe.closeWriter()
        var nowhere = JSONLines.Configuration()
        nowhere.output = .file("/nowhere/\u{1B}[2J/events")
        let other = #expect(throws: TransferError.self) { try JSONLines(nowhere) }
        #expect(
            other?.message == "/nowhere/^[[2J/events can't be written: No such file or directory; choose another place")
    }

    @Test("The plugin reads where to and how often")
    func plugin() throws {
        func read(_ settings: [String: String]) throws(TransferError) -> JSONLines.Configuration {
            try JSONLines.Configuration(PluginContext(settings: settings))
        }
        #expect(JSONLines.plugin.name == "jsonl")
        #expect(try read([:]).output == .descriptor(1))
        #expect(try read(["events": "fd:3"]).output == .descriptor(3))
        #expect(try read(["events": "run.jsonl"]).output == .file("run.jsonl"))
        #expect(try read(["output": "a.iso"]).output == .descriptor(1))
        #expect(try read(["progress-interval": "off"]).progressInterval == nil)
        #expect(try read(["progress-interval": "2.5"]).progressInterval == 2.5)
        for wrong in [["events": "fd:x"], ["progress-interval": "often"], ["progress-interval": "-1"]] {
            #expect(throws: TransferError.self) { try read(wrong) }
        }
    }

    @Test("A file is made, or emptied, and closed at the end")
    func file() throws {
        let path = "/tmp/whirl-events-\(getpid())-\(monotonicNanoseconds())"
        defer { unsafe unlink(path) }
        for _ in 0..<2 {
            let stream = try JSONLines.plugin.make(PluginContext(settings: ["events": path]))
            try stream.open { _ in }
            let stage = Stage(stream)
            stage.begin()
            stage.end()
            #expect(stream.close() == nil)
        }
        let descriptor = unsafe open(path, O_RDONLY)
        defer { close(descriptor) }
        #expect(lseek(descriptor, 0, SEEK_END) < 400)
    }
}
