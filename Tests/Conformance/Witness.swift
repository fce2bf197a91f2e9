import Synchronization
import WhirlCore
import WhirlLoopback

/// A handler that does as it is told and writes down what it is given.
final class Witness: ExchangeHandler {
    struct Testimony: Sendable {
        var phases: [TaskPhase] = []
        /// Those of final responses.
        var heads: [ResponseHead] = []
        var bodies = 0
        /// Bytes that were taken.
        var received: Int64 = 0
        var fulls = 0
        var outcomes: [ExchangeOutcome] = []
        /// What was first seen to break a law, by the law.
        var offences: [Law.RawValue: String] = [:]

        var isOver: Bool { !outcomes.isEmpty }

        mutating func offend(_ law: Law, _ what: String) { offences[law.rawValue] = offences[law.rawValue] ?? what }
    }

    typealias OnHead = @Sendable (ResponseHead) -> HeadVerdict
    typealias OnBody = @Sendable (Testimony) -> BodyVerdict

    let testimony = Watched(Testimony())
    private let laws: Law
    private let pattern: BodyPattern
    private let onHead: OnHead
    private let onBody: OnBody
    private let onEnd: @Sendable () -> Void
    private let isBusy = Atomic<Bool>(false)

    /// A handler that is asked for its verdicts; `onBody` is given what was received before these bytes.
    ///
    /// - Parameters:
    ///   - laws: what `end` throws for.
    ///   - pattern: what the body must be, from its first byte on.
    init(
        judging laws: Law = [], _ pattern: BodyPattern = BodyPattern(), onHead: @escaping OnHead = { _ in .accept },
        onBody: @escaping OnBody = { _ in .more }, onEnd: @escaping @Sendable () -> Void = {}
    ) {
        self.laws = laws
        self.pattern = pattern
        self.onHead = onHead
        self.onBody = onBody
        self.onEnd = onEnd
    }

    func enter(_ phase: TaskPhase) {
        call { testimony in
            if !testimony.heads.isEmpty { testimony.offend(.order, "a phase came after the head") }
            testimony.phases.append(phase)
        }
    }

    func head(_ head: ResponseHead) -> HeadVerdict {
        guard head.status >= 200 else {
            call { $0.offend(.final, "the head of an informational response, \(head.status)") }
            return .accept
        }
        call { testimony in
            if !testimony.heads.isEmpty { testimony.offend(.order, "a second head") }
            testimony.heads.append(head)
        }
        return onHead(head)
    }

    func body(_ bytes: borrowing RawSpan) -> BodyVerdict {
        let before = testimony.value
        let isRight = !laws.contains(.bytes) || pattern.matches(bytes, at: before.received)
        let count = Int64(bytes.byteCount)
        let verdict = onBody(before)
        call { testimony in
            if testimony.heads.isEmpty { testimony.offend(.order, "a body before the head") }
            if count == 0 { testimony.offend(.order, "a body of no bytes") }
            if !isRight { testimony.offend(.bytes, "wrong bytes at \(before.received), piece of \(count)") }
            testimony.bodies += 1
            if case .more = verdict { testimony.received += count }
            if case .full = verdict { testimony.fulls += 1 }
        }
        return verdict
    }

    func end(_ outcome: ExchangeOutcome) {
        let isFirst = call { testimony in
            testimony.outcomes.append(outcome)
            return testimony.outcomes.count == 1
        }
        if isFirst { onEnd() }
    }

    private func call<Value: Sendable>(_ body: (inout Testimony) -> Value) -> Value {
        let overlaps = isBusy.exchange(true, ordering: .acquiringAndReleasing)
        defer { isBusy.store(false, ordering: .releasing) }
        return testimony.change { testimony in
            if overlaps { testimony.offend(.order, "two calls at the same time") }
            if testimony.isOver { testimony.offend(.once, "a call after the end") }
            return body(&testimony)
        }
    }

    /// What was seen so far; throws for what breaks a law that is judged, and unless there was an end.
    @discardableResult
    func judge(fileID: String = #fileID, filePath: String = #filePath, line: Int = #line) throws -> Testimony {
        let testimony = testimony.value
        for (law, what) in testimony.offences where laws.contains(Law(rawValue: law)) {
            try expect(false, what, fileID: fileID, filePath: filePath, line: line)
        }
        try expect(testimony.isOver, "no end", fileID: fileID, filePath: filePath, line: line)
        return testimony
    }

    /// Waits for the end, and judges.
    @discardableResult
    func end(fileID: String = #fileID, filePath: String = #filePath, line: Int = #line) async throws -> Testimony {
        await testimony.until { $0.isOver }
        return try judge(fileID: fileID, filePath: filePath, line: line)
    }

    /// Waits for the end, which must be this one, and judges; with `.bytes`, also that so many bytes were taken.
    @discardableResult
    func end(
        _ wanted: ExchangeOutcome.Result, bytes: Int64? = nil, fileID: String = #fileID, filePath: String = #filePath,
        line: Int = #line
    ) async throws -> Testimony {
        let testimony = try await end(fileID: fileID, filePath: filePath, line: line)
        try expectEqual(
            testimony.outcomes[0].result, wanted, "the end", fileID: fileID, filePath: filePath, line: line)
        if let bytes, laws.contains(.bytes) {
            try expectEqual(testimony.received, bytes, "bytes", fileID: fileID, filePath: filePath, line: line)
        }
        return testimony
    }
}
