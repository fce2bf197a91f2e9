import Synchronization

/// A bucket that all tasks of a run draw from; it may have no bottom.
final class SharedBucket: Sendable {
    private let bucket: Mutex<TokenBucket?>
    /// The rate, 0 for any; a copy that costs nothing to look at.
    private let limit: Atomic<Int64>

    init(rate: Int64?, now: UInt64) {
        bucket = Mutex(rate.map { TokenBucket(rate: $0, now: now) })
        limit = Atomic(rate ?? 0)
    }

    /// Bytes per second; nil: any number.
    var rate: Int64? {
        let rate = limit.load(ordering: .relaxed)
        return rate == 0 ? nil : rate
    }

    /// From now on; what was promised at the old rate is forgotten.
    func set(rate: Int64?, at now: UInt64) {
        bucket.withLock { bucket in
            bucket = rate.map { TokenBucket(rate: $0, now: now) }
            limit.store(rate ?? 0, ordering: .relaxed)
        }
    }

    func reserve(_ count: Int, at now: UInt64) -> UInt64 {
        guard rate != nil else { return now }
        return bucket.withLock { $0?.reserve(count, at: now) } ?? now
    }
}

/// Holds the bytes of one exchange back to the rates of its task and of the run.
///
/// Bytes that may not pass are reserved once, and come again when it is their time.
struct Throttle: Sendable {
    enum Verdict: Equatable {
        case pass
        /// At that instant they may.
        case wait(until: UInt64)
        /// The same, and it has been said.
        case waitOn
    }

    private let run: SharedBucket?
    private var task: TokenBucket?
    /// Bytes that are reserved and have not passed.
    private var credit = 0
    private var instant: UInt64 = 0
    /// Whether the transport was told to hold bytes back.
    private(set) var waits = false

    init(run: SharedBucket?, task: TokenBucket?) {
        self.run = run
        self.task = task
    }

    /// Whether there is anything to judge: without a limit bytes cost nothing.
    var isOn: Bool { task != nil || waits || credit > 0 || run?.rate != nil }

    mutating func judge(_ count: Int, at now: UInt64) -> Verdict {
        if count > credit {
            let more = count - credit
            credit = count
            instant = max(instant, run?.reserve(more, at: now) ?? now, task?.reserve(more, at: now) ?? now)
            if instant > now {
                waits = true
                return .wait(until: instant)
            }
        }
        guard instant <= now else {
            waits = true
            return .waitOn
        }
        credit -= count
        waits = false
        return .pass
    }

    /// The rate has changed: what waits asks anew.
    mutating func forget() {
        credit = 0
        instant = 0
    }

    /// True once when it is time for bytes that were held back.
    mutating func mayGoOn(at now: UInt64) -> Bool {
        guard waits, instant <= now else { return false }
        waits = false
        return true
    }
}
