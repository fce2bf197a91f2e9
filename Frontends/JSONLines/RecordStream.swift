import WhirlBoard
import WhirlCore

/// The stream as the writing thread has it: gives numbers, encodes, writes, and outlives a full disk.
///
/// - `seq` is given at writing and has no gap. Records that could not be written are kept, the newest 10,000 of them, and
///   written when there is room again, after a `lost` record that tells how many were not kept.
/// - Before a lifecycle record comes the exact progress, if it is newer than what was told.
struct RecordStream {
    /// How the stream stands.
    enum Condition: Equatable {
        case whole
        /// Not written, for this reason; tried again at that time.
        case broken(String, retry: UInt64)
        /// Nobody reads any more.
        case readerGone
    }
    private enum Item {
        /// One of `records`.
        case record(Int)
        case progress
        case lost(Int)
    }
    private static let fullBatch = 1 << 16
    private let writer: LineWriter
    private let progressInterval: Double?
    private let retryInterval: Double
    private var encoder = RecordEncoder()
    /// What is encoded and not yet written, each with the end of its line.
    private var items: [(item: Item, end: Int)] = []
    /// What came, as long as it may have to be kept.
    private var records: [RunRecord] = []
    private var tracks: [TaskID: Track] = [:]
    private var kept: Newest<RunRecord>
    private var lost = 0
    private var isTorn = false
    private var isOver = false
    private var elapsed = 0.0
    private var anchor: (moment: Moment, at: UInt64)
    private(set) var condition = Condition.whole

    init(
        _ writer: LineWriter, progressInterval: Double? = 0.5, retryInterval: Double = 5, most: Int = 10_000,
        at now: UInt64
    ) {
        self.writer = writer
        self.progressInterval = progressInterval
        self.retryInterval = retryInterval
        kept = Newest(most)
        anchor = (Moment(elapsed: 0, time: 0), now)
    }

    // MARK: in

    /// The next record.
    mutating func put(_ record: RunRecord, at now: UInt64) {
        if items.isEmpty { records.removeAll(keepingCapacity: true) }
        records.append(record)
        take(records.count - 1, at: now)
    }

    /// The next records.
    mutating func put(_ next: [RunRecord], at now: UInt64) {
        if items.isEmpty { records = next } else { records += next }
        for index in records.count - next.count..<records.count { take(index, at: now) }
    }

    private mutating func take(_ index: Int, at now: UInt64) {
        anchor = (Moment(elapsed: records[index].elapsed, time: records[index].time), now)
        switch condition {
        case .whole: encode(index, at: now)
        case .broken: keep(records[index])
        case .readerGone: break
        }
        if encoder.text.count >= Self.fullBatch { write(isLast: false, at: now) }
    }

    /// Tells how far a task is; false when it has to be asked again later.
    mutating func put(_ task: TaskID, _ snapshot: TaskSnapshot, at now: UInt64) -> Bool {
        guard let progressInterval, !isOver, condition == .whole else { return true }
        switch tracks[task]?.news(snapshot, interval: progressInterval, at: now) {
        case nil, .nothing: return true
        case .later: return false
        case .line(let line):
            append(line, of: task, moment(at: now))
            return true
        }
    }

    /// Tells of a task that is known to the reader by its `created` alone as if its life had just come to this point.
    mutating func catchUp(_ task: TaskID, with snapshot: TaskSnapshot, at now: UInt64) {
        guard !isOver, condition == .whole else { return }
        let moment = moment(at: now)
        var track = Track(at: now)
        if snapshot.state == .running || snapshot.attempt > 0 { encoder.task(moment, task, .resumed, snapshot) }
        if snapshot.attempt > 0 { encoder.task(moment, task, .attempt, snapshot) }
        if let line = track.catchUp(with: snapshot, at: now) { encoder.progress(moment, task, line) }
        if snapshot.state == .suspended, snapshot.attempt > 0 {
            encoder.task(moment, task, .suspended(reason: "user"), snapshot)
        }
        items.append((.progress, encoder.text.count))
        tracks[task] = track
    }

    private mutating func encode(_ index: Int, at now: UInt64) {
        guard !isOver else { return }
        elapsed = max(elapsed, records[index].elapsed)
        let moment = Moment(elapsed: elapsed, time: records[index].time)
        switch records[index].event {
        case .run(let run): encoder.run(moment, run)
        case .created(let id, let description): encoder.created(moment, id, description)
        case .planned(let task): encoder.planned(moment, task)
        case .warning(let text): encoder.warning(moment, text)
        case .answer(let answer): encoder.answer(moment, answer)
        case .end(let summary):
            encoder.end(moment, summary)
            isOver = true
        case .task(let id, let update):
            guard let event = update.event, event != .progress, event != .canceling else { return }
            encode(event, update.snapshot, of: id, moment, at: now)
        }
        items.append((.record(index), encoder.text.count))
    }

    private mutating func encode(
        _ event: TaskEvent, _ snapshot: TaskSnapshot, of task: TaskID, _ moment: Moment, at now: UInt64
    ) {
        var track = tracks[task] ?? Track(at: now)
        if progressInterval != nil, let line = track.lineBefore(event, snapshot, at: now) {
            append(line, of: task, moment)
        }
        encoder.task(moment, task, event, snapshot)
        track.pass(event, snapshot, at: now)
        tracks[task] = snapshot.state == .completed ? nil : track
    }

    private mutating func append(_ line: ProgressLine, of task: TaskID, _ moment: Moment) {
        encoder.progress(moment, task, line)
        items.append((.progress, encoder.text.count))
    }

    /// Now on the clock of the records.
    private mutating func moment(at now: UInt64) -> Moment {
        let passed = seconds(from: anchor.at, to: now)
        elapsed = max(elapsed, anchor.moment.elapsed + passed)
        return Moment(elapsed: elapsed, time: anchor.moment.time + Int64(passed * 1e6))
    }

    // MARK: out

    /// Writes what is encoded; what was kept too, when it is time to try again or when `isLast`.
    mutating func flush(isLast: Bool = false, at now: UInt64) {
        write(isLast: isLast, at: now)
        if items.isEmpty { records = [] }
    }

    private mutating func write(isLast: Bool, at now: UInt64) {
        if case .broken(_, let retry) = condition {
            guard isLast || now >= retry else { return }
            takeUpAgain(at: now)
        }
        guard condition == .whole, !items.isEmpty else { return }
        do {
            try writer.write(encoder.text.bytes)
            isTorn = false
            forget()
        } catch {
            suffer(error, at: now)
        }
    }

    private mutating func forget() {
        items.removeAll(keepingCapacity: true)
        encoder.clear()
    }

    /// Encodes all that was kept, after a word about what was not.
    private mutating func takeUpAgain(at now: UInt64) {
        condition = .whole
        if isTorn { encoder.lineFeed() }
        guard !isOver || !kept.isEmpty else {
            // `end` lacks its line feed, and is the last record all the same.
            return items.append((.progress, encoder.text.count))
        }
        isOver = false
        encoder.lost(moment(at: now), lost)
        items.append((.lost(lost), encoder.text.count))
        lost = 0
        let first = records.count
        records += kept.takeAll()
        for index in first..<records.count { encode(index, at: now) }
    }

    private mutating func suffer(_ failure: LineWriter.Failure, at now: UInt64) {
        if failure.isReaderGone {
            condition = .readerGone
            return forget()
        }
        // A line that lacks but its line feed counts as written: the line feed that ends a torn line will be its own.
        let first = items.firstIndex { $0.end - 1 > failure.written } ?? items.endIndex
        let begin = first > 0 ? items[first - 1].end : 0
        if failure.written > 0 { isTorn = failure.written != begin }
        encoder.sequence -= Int64(items.count - first)
        condition = .broken(failure.description, retry: now &+ UInt64(retryInterval * 1e9))
        let unwritten = items[first...]
        forget()
        for (item, _) in unwritten {
            switch item {
            case .record(let index): keep(records[index])
            case .lost(let count): lost += count
            case .progress: break
            }
        }
    }

    private mutating func keep(_ record: RunRecord) {
        if case .task(_, let update) = record.event, update.event == .progress || update.event == .canceling { return }
        if kept.append(record) { lost += 1 }
    }
}
