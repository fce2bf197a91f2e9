import WhirlBoard
import WhirlCore

/// What the stream has said of one task.
struct Track {
    /// Lifecycle events told.
    private(set) var ordinal: UInt64 = 0
    private var attempt = 0
    /// Bytes in hand as told.
    private var received: Int64 = 0
    private var last: ProgressLine?
    private var toldAt: UInt64?
    private var window: SpeedWindow

    init(at now: UInt64) { window = SpeedWindow(at: now) }

    /// The exact progress that has to come before the event, if it was not told yet.
    mutating func lineBefore(_ event: TaskEvent, _ snapshot: TaskSnapshot, at now: UInt64) -> ProgressLine? {
        // A new beginning's snapshot starts at its offset: what was received before it was told before it.
        guard !event.isBeginning, snapshot.progress.received > received else { return nil }
        var line = ProgressLine(snapshot)
        line.attempt = max(attempt, 1)
        if line.phase == .backoff || line.phase == .paused { line.phase = .receiving }
        return tell(line, at: now)
    }

    /// The event is told.
    mutating func pass(_ event: TaskEvent, _ snapshot: TaskSnapshot, at now: UInt64) {
        ordinal = snapshot.ordinal
        attempt = snapshot.attempt
        switch event {
        case .resumed: window = SpeedWindow(at: now)
        case .attempt, .restarted:
            window = SpeedWindow(at: now)
            received = max(snapshot.progress.received, snapshot.offset)
        default: break
        }
    }

    /// The reader begins here; nil when there is no progress to tell of.
    mutating func catchUp(with snapshot: TaskSnapshot, at now: UInt64) -> ProgressLine? {
        ordinal = snapshot.ordinal
        attempt = snapshot.attempt
        received = max(snapshot.progress.received, snapshot.offset)
        guard attempt > 0, received > snapshot.offset || snapshot.progress.total != nil else { return nil }
        return tell(ProgressLine(snapshot), at: now)
    }

    /// What there is to tell.
    enum News: Equatable {
        case nothing
        /// Later: it is too soon, or events come first.
        case later
        case line(ProgressLine)
    }

    /// The line for more bytes or another phase.
    mutating func news(_ snapshot: TaskSnapshot, interval: Double, at now: UInt64) -> News {
        guard snapshot.state == .running else { return .nothing }
        // Between its slot and its first attempt there is nothing that a reader could put anywhere.
        guard snapshot.ordinal == ordinal, snapshot.attempt > 0 else { return .later }
        var line = ProgressLine(snapshot)
        line.rate = last?.rate ?? 0
        guard line != last, line.received >= received else { return .nothing }
        if let toldAt, seconds(from: toldAt, to: now) < interval { return .later }
        return .line(tell(line, at: now))
    }

    private mutating func tell(_ line: ProgressLine, at now: UInt64) -> ProgressLine {
        var line = line
        window.add(max(0, line.received - received), at: now)
        line.rate = window.rate(at: now)
        received = line.received
        last = line
        toldAt = now
        return line
    }
}

extension ProgressLine {
    fileprivate init(_ snapshot: TaskSnapshot) {
        self.init(
            attempt: snapshot.attempt, phase: snapshot.phase, received: snapshot.progress.received,
            total: snapshot.progress.total, rate: 0)
    }
}
