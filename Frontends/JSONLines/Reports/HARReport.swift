import WhirlBoard
public import WhirlCore

/// Runs as an HTTP Archive, HAR 1.2: a page for each run, an entry for each exchange.
///
/// - Of a transfer's last exchange the timings are the transport's; of others, which streams say less of, `wait` lasts
///   until the first bytes were told and `receive` from then on.
/// - An exchange without an answer has the status 0, and `_error` says why.
public struct HARReport {
    private var text = JSONText()
    private var pages: [(began: Int64, title: String)] = []
    private var tasks: [TaskID: Track] = [:]
    private let version: String

    /// One task, and its exchange under way.
    private struct Track {
        let url: String
        var exchange: HARExchange?
    }

    /// An archive that names whirl of that version as its creator.
    public init(version: String) {
        self.version = version
        text.beginObject()
        text.beginObject("log")
        text.put("version", "1.2")
        text.beginArray("entries")
    }

    /// How many bytes can be written already.
    public var size: Int { text.count }

    /// What can be written already; it is forgotten here.
    public mutating func takeBytes() -> [UInt8] {
        defer { text.clear() }
        return Array(text.bytes)
    }

    /// What comes next is of the run of that name.
    public mutating func begin(_ name: String) {
        pages.append((0, name))
        tasks = [:]
    }

    /// The next record of the run.
    public mutating func take(_ record: RunRecord) {
        switch record.event {
        case .run(let run):
            guard !pages.isEmpty else { return }
            pages[pages.count - 1].began = record.time
            let parts = [pages[pages.count - 1].title, "whirl \(run.version)", run.transport]
            pages[pages.count - 1].title = parts.filter { !$0.isEmpty }.joined(separator: ", ")
        case .created(let id, let description): tasks[id] = Track(url: description.url)
        case .task(let id, let update): take(update, of: id, record)
        case .planned, .warning, .answer, .end: break
        }
    }

    /// There is nothing more.
    public mutating func finish() {
        text.endArray()
        text.beginArray("pages")
        for (index, page) in pages.enumerated() {
            text.beginElement()
            text.put("startedDateTime", micros: page.began)
            text.put("id", "run_\(index + 1)")
            text.put("title", page.title)
            text.beginObject("pageTimings")
            text.endObject()
            text.endObject()
        }
        text.endArray()
        text.beginObject("creator")
        text.put("name", "whirl")
        text.put("version", version)
        text.endObject()
        text.endObject()
        text.endLine()
    }

    // MARK: exchanges

    private mutating func take(_ update: TaskUpdate, of id: TaskID, _ record: RunRecord) {
        guard let event = update.event, let track = tasks[id] else { return }
        let snapshot = update.snapshot
        switch event {
        case .attempt:
            tasks[id]?.exchange = HARExchange(
                url: track.url, began: record, attempt: snapshot.attempt, offset: snapshot.offset)
        case .redirected(let status, let url):
            end(id, HAREnd(status: status, redirect: url, at: record.elapsed))
            tasks[id]?.exchange = HARExchange(
                url: url, began: record, attempt: snapshot.attempt, offset: snapshot.offset)
        case .progress: tasks[id]?.exchange?.note(snapshot, at: record.elapsed)
        case .restarted:
            tasks[id]?.exchange?.offset = snapshot.offset
            tasks[id]?.exchange?.received = snapshot.offset
        case .retrying(_, let error): end(id, HAREnd(error: error, at: record.elapsed))
        case .suspended: end(id, HAREnd(note: "suspended", at: record.elapsed))
        case .ended(let outcome):
            tasks[id]?.exchange?.note(snapshot, at: record.elapsed)
            end(id, HAREnd(outcome, at: record.elapsed))
            tasks[id] = nil
        case .resumed, .canceling: break
        }
    }

    private mutating func end(_ id: TaskID, _ end: HAREnd) {
        guard let exchange = tasks[id]?.exchange else { return }
        tasks[id]?.exchange = nil
        text.beginElement()
        text.put("pageref", "run_\(pages.count)")
        text.put("startedDateTime", micros: exchange.time)
        text.put("_task", Int64(clamping: id.number))
        text.put("_attempt", Int64(exchange.attempt))
        if let error = end.error { text.put("_error", error) }
        exchange.write(to: &text, end)
        text.endObject()
    }
}
