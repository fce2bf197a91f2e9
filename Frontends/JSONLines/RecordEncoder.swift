import WhirlBoard
import WhirlCore

/// Records as lines of the schema `whirl/1`.
struct RecordEncoder {
    /// What the stream calls itself.
    static let schema = "whirl/1"
    /// The `seq` of the next record.
    var sequence: Int64 = 0
    private(set) var text = JSONText(reserving: 1 << 16)

    /// Forgets the lines, not the sequence.
    mutating func clear() { text.clear() }

    mutating func lineFeed() { text.lineFeed() }

    // MARK: records

    mutating func run(_ moment: Moment, _ run: RunDescription) {
        begin("run", moment)
        text.put("schema", Self.schema)
        text.put("version", run.version)
        text.put("transport", run.transport)
        text.put("jobs", Int64(run.jobs))
        text.endLine()
    }

    mutating func created(_ moment: Moment, _ task: TaskID, _ description: TaskDescription) {
        begin("created", moment, task)
        text.put("url", description.url)
        text.put("destination", description.destination)
        text.put("key", description.key)
        text.endLine()
    }

    mutating func planned(_ moment: Moment, _ task: PlannedTask) {
        begin("planned", moment)
        text.put("url", task.description.url)
        text.put("destination", task.description.destination)
        text.put("key", task.description.key)
        switch task.action {
        case .fetch(let restart):
            text.put("action", "fetch")
            if let restart { text.put("reason", restart) }
        case .resume(let offset, let total):
            text.put("action", "resume")
            text.put("offset", offset)
            text.put("total", total)
        case .refresh: text.put("action", "refresh")
        case .skip(let reason):
            text.put("action", "skip")
            text.put("reason", reason)
        case .fail(let error):
            text.put("action", "fail")
            put(error)
        }
        text.endLine()
    }

    mutating func progress(_ moment: Moment, _ task: TaskID, _ line: ProgressLine) {
        begin("progress", moment, task)
        text.put("attempt", Int64(line.attempt))
        text.put("phase", line.phase.rawValue)
        text.put("received", line.received)
        text.put("total", line.total)
        text.put("rate", Int64(exactly: line.rate.rounded()))
        text.endLine()
    }

    mutating func warning(_ moment: Moment, _ message: String) {
        begin("warning", moment)
        text.put("message", message)
        text.endLine()
    }

    mutating func answer(_ moment: Moment, _ answer: CommandAnswer) {
        begin(answer.error == nil ? "ack" : "rejected", moment)
        switch answer.id {
        case .number(let number): text.put("id", number)
        case .text(let name): text.put("id", name)
        case nil: text.put("id", nil as Int64?)
        }
        if let task = answer.task { text.put("task", Int64(clamping: task.number)) }
        if let error = answer.error { put(error) }
        text.endLine()
    }

    mutating func lost(_ moment: Moment, _ count: Int) {
        begin("lost", moment)
        text.put("count", Int64(count))
        text.endLine()
    }

    mutating func end(_ moment: Moment, _ summary: RunSummary) {
        begin("end", moment)
        text.put("completed", Int64(summary.completed))
        text.put("failed", Int64(summary.failed))
        text.put("cancelled", Int64(summary.cancelled))
        text.put("skipped", Int64(summary.skipped))
        text.put("bytes", summary.bytes)
        text.put("wasted", summary.wasted)
        text.put("exit", Int64(summary.exit))
        text.endLine()
    }

    /// A lifecycle record; nothing for what is none.
    mutating func task(_ moment: Moment, _ task: TaskID, _ event: TaskEvent, _ snapshot: TaskSnapshot) {
        switch event {
        case .progress, .canceling: return
        case .resumed: begin("resumed", moment, task)
        case .attempt:
            begin("attempt", moment, task)
            text.put("attempt", Int64(snapshot.attempt))
            text.put("offset", snapshot.offset)
            if let url = snapshot.url { text.put("url", url) }
        case .redirected(let status, let url):
            begin("redirected", moment, task)
            text.put("status", Int64(status))
            text.put("url", url)
        case .suspended(let reason):
            begin("suspended", moment, task)
            text.put("received", snapshot.progress.received)
            text.put("reason", reason)
        case .retrying(let delay, let error):
            begin("retrying", moment, task)
            text.put("attempt", Int64(snapshot.attempt + 1))
            text.put("delay", delay, digits: 3)
            put(error)
        case .restarted(let reason):
            begin("restarted", moment, task)
            text.put("attempt", Int64(snapshot.attempt))
            text.put("offset", snapshot.offset)
            text.put("reason", reason)
        case .ended(let outcome): end(moment, task, outcome, snapshot)
        }
        text.endLine()
    }

    // MARK: parts

    private mutating func end(_ moment: Moment, _ task: TaskID, _ outcome: TaskOutcome, _ snapshot: TaskSnapshot) {
        switch outcome {
        case .completed(let completion):
            begin("completed", moment, task)
            text.put("received", snapshot.progress.received)
            if let destination = completion.destination { text.put("destination", destination) }
            if let status = completion.status { text.put("status", Int64(status)) }
            if !completion.digests.isEmpty { put(completion.digests) }
            if let timings = completion.timings { put(timings) }
        case .failed(let error):
            begin("failed", moment, task)
            put(snapshot)
            put(error)
        case .skipped(let reason):
            begin("skipped", moment, task)
            text.put("reason", reason)
        case .cancelled(let reason):
            begin("cancelled", moment, task)
            put(snapshot)
            text.put("reason", reason)
        }
    }

    private mutating func begin(_ type: StaticString, _ moment: Moment, _ task: TaskID? = nil) {
        text.beginObject()
        text.put("type", type)
        text.put("seq", sequence)
        sequence += 1
        text.put("time", micros: moment.time)
        text.put("elapsed", moment.elapsed, digits: 6)
        if let task { text.put("task", Int64(clamping: task.number)) }
    }

    /// How far a task was that did not come to its end; nothing of one that never began.
    private mutating func put(_ snapshot: TaskSnapshot) {
        guard snapshot.attempt > 0 else { return }
        text.put("received", snapshot.progress.received)
        text.put("total", snapshot.progress.total)
    }

    private mutating func put(_ error: TransferError) {
        text.beginObject("error")
        text.put("code", error.code.rawValue)
        if let transport = error.transport { text.put("transport", transport) }
        if let native = error.native { text.put("native", Int64(native)) }
        if let status = error.status { text.put("status", Int64(status)) }
        text.put("retryable", error.isRetryable)
        text.put("message", error.message)
        text.endObject()
    }

    private mutating func put(_ digests: [String: String]) {
        text.beginObject("digests")
        for (name, digest) in digests.sorted(by: { $0.key < $1.key }) { text.put(named: name, digest) }
        text.endObject()
    }

    private mutating func put(_ timings: ExchangeTimings) {
        text.beginObject("timings")
        text.put("blocked", timings.blocked, digits: 3)
        text.put("dns", timings.dns, digits: 3)
        text.put("connect", timings.connect, digits: 3)
        text.put("ssl", timings.ssl, digits: 3)
        text.put("send", timings.send, digits: 3)
        text.put("wait", timings.wait, digits: 3)
        text.put("receive", timings.receive, digits: 3)
        text.endObject()
    }
}

/// When a record was made.
struct Moment {
    /// Seconds since the run began.
    var elapsed: Double
    /// Microseconds since 1970.
    var time: Int64
}

/// What a `progress` record says.
struct ProgressLine: Equatable {
    var attempt: Int
    var phase: TaskPhase
    var received: Int64
    var total: Int64?
    /// Bytes per second.
    var rate: Double
}
