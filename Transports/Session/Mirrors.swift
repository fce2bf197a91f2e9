import WhirlCore

/// Which of several URLs of the same bytes is tried next: pure.
///
/// Each is tried once, in order, before any is tried again; one that has failed for good is not.
struct Mirrors: Equatable, Sendable {
    private struct Mirror: Equatable {
        /// It has failed for good.
        var isDead = false
        /// It has failed since the last wait.
        var hasFailed = false
        /// It asked not to be tried before.
        var opens: UInt64 = 0
    }

    private var all: [Mirror]
    /// The one that is tried, from 0.
    private(set) var current = 0
    /// Bytes that were gained since the last wait.
    private(set) var gained: Int64 = 0
    /// The newest failure that may pass.
    private(set) var passing: TransferError?
    private var worst: TransferError?

    /// All of `count`, beginning with the first.
    init(count: Int) { all = Array(repeating: Mirror(), count: count) }

    /// Begins with another one.
    mutating func begin(at index: Int) { current = index }

    /// The one that is tried has failed; it asks to be left alone until `instant`, if it does.
    mutating func fail(_ error: TransferError, gained: Int64, until instant: UInt64?) {
        all[current].hasFailed = true
        all[current].isDead = !error.isRetryable
        if let instant { all[current].opens = instant }
        self.gained += gained
        if error.isRetryable { passing = error }
        if worst.map({ ExitCode.worse($0.code.exit, error.code.exit) == error.code.exit }) ?? true { worst = error }
    }

    /// Goes to one that has not failed since the last wait; false when there is none.
    mutating func goOn(at now: UInt64, where isOfUse: (Int) -> Bool) -> Bool {
        let next = all.indices.first { index in
            let mirror = all[index]
            return !mirror.isDead && !mirror.hasFailed && mirror.opens <= now && isOfUse(index)
        }
        if let next { current = next }
        return next != nil
    }

    /// Goes to the one that may be tried first after a wait, and says from when it may; nil when all have failed for good.
    mutating func startOver(where isOfUse: (Int) -> Bool) -> UInt64? {
        let alive = all.indices.filter { !all[$0].isDead && isOfUse($0) }
        guard let next = alive.min(by: { all[$0].opens < all[$1].opens }) else { return nil }
        for index in all.indices { all[index].hasFailed = false }
        current = next
        gained = 0
        return all[next].opens
    }

    /// What the task fails with: of all failures the worst, and of several the newest.
    func verdict(_ error: TransferError) -> TransferError {
        let exit = error.code.exit
        var verdict = worst.flatMap { ExitCode.worse($0.code.exit, exit) == exit ? nil : $0 } ?? error
        verdict.message += "; none of the \(all.count) URLs gave the file"
        verdict.isRetryable = false
        return verdict
    }
}

extension TransferError.Code {
    /// Whether another server of the same bytes may do better.
    var isOfOneServer: Bool {
        switch self {
        case .resolve, .connect, .timeout, .stalled, .reset, .truncated, .tls, .malformed, .http, .certificate,
            .redirect,
            .tooLarge, .digestMismatch, .unsupported:
            true
        default: false
        }
    }
}
