import WhirlCore
import WhirlLoopback

/// A handler that keeps all.
final class Collector: ExchangeHandler {
    struct Answer: Sendable {
        var head: ResponseHead?
        var body: [UInt8] = []
        var result: ExchangeOutcome.Result?
    }

    let answer = Watched(Answer())

    func head(_ head: ResponseHead) -> HeadVerdict {
        answer.change { $0.head = head }
        return .accept
    }

    func body(_ bytes: borrowing RawSpan) -> BodyVerdict {
        let bytes = unsafe bytes.withUnsafeBytes { unsafe Array($0) }
        answer.change { $0.body += bytes }
        return .more
    }

    func end(_ outcome: ExchangeOutcome) { answer.change { $0.result = outcome.result } }
}
