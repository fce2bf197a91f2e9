#if URLSession
import Synchronization
import WhirlCore
import WhirlLoopback

/// A handler that writes down what it is told, and whether the rules of the seam were kept.
final class URLSessionRecorder: ExchangeHandler {
    struct Record {
        var heads: [ResponseHead] = []
        var received: Int64 = 0
        var bodyCalls = 0
        var ends: [ExchangeOutcome.Result] = []
        /// Calls that came while another was under way, or after the end.
        var violations = 0
        /// Whether every byte was the one of the pattern.
        var isIntact = true
        var isInside = false
        var waiting: [CheckedContinuation<Void, Never>] = []
    }
    private let state = Mutex(Record())
    private let onHead: @Sendable (ResponseHead) -> HeadVerdict
    private let onBody: @Sendable (Record) -> BodyVerdict
    private let onEnd: @Sendable () -> Void
    private let pattern: BodyPattern

    init(
        seed: Int = 1, onHead: @escaping @Sendable (ResponseHead) -> HeadVerdict = { _ in .accept },
        onBody: @escaping @Sendable (Record) -> BodyVerdict = { _ in .more }, onEnd: @escaping @Sendable () -> Void = {}
    ) {
        pattern = BodyPattern(seed)
        self.onHead = onHead
        self.onBody = onBody
        self.onEnd = onEnd
    }

    var record: Record { state.withLock { $0 } }

    func head(_ head: ResponseHead) -> HeadVerdict {
        enter { $0.heads.append(head) }
        defer { leave() }
        return onHead(head)
    }

    func body(_ bytes: borrowing RawSpan) -> BodyVerdict {
        let count = Int64(bytes.byteCount)
        let record = enter { $0.bodyCalls += 1 }
        defer { leave() }
        let verdict = onBody(record)
        guard verdict == .more else { return verdict }
        let isIntact = pattern.matches(bytes, at: record.received)
        state.withLock {
            $0.received += count
            $0.isIntact = $0.isIntact && isIntact
        }
        return verdict
    }

    func end(_ outcome: ExchangeOutcome) {
        state.withLock { state in
            if state.isInside || !state.ends.isEmpty { state.violations += 1 }
            state.ends.append(outcome.result)
        }
        resumeAll()
        onEnd()
    }

    /// Returns what was written down, after the end or when the waiting task is cancelled.
    @discardableResult
    func ended() async -> Record {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let waits = state.withLock { state in
                    let waits = state.ends.isEmpty && !Task.isCancelled
                    if waits { state.waiting.append(continuation) }
                    return waits
                }
                if !waits { continuation.resume() }
            }
        } onCancel: {
            resumeAll()
        }
        return record
    }

    private func resumeAll() {
        let waiting = state.withLock { state in
            defer { state.waiting = [] }
            return state.waiting
        }
        for continuation in waiting { continuation.resume() }
    }

    @discardableResult
    private func enter(_ change: (inout Record) -> Void) -> Record {
        state.withLock { state in
            if state.isInside || !state.ends.isEmpty { state.violations += 1 }
            state.isInside = true
            change(&state)
            return state
        }
    }

    private func leave() {
        state.withLock { $0.isInside = false }
    }
}
#endif
