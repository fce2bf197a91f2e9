import Synchronization
import WhirlCore
import WhirlLoopback

/// A handler that does as it is told and writes down what it is given.
final class Witness: ExchangeHandler {
    struct Testimony: Sendable {
        var phases: [TaskPhase] = []
        var heads: [ResponseHead] = []
        var bodies = 0
        /// Bytes that were taken.
        var received: Int64 = 0
        var fulls = 0
        /// The first thing that may never be; nil: nothing.
        var offence: String?
        var outcomes: [ExchangeOutcome] = []

        var isOver: Bool { !outcomes.isEmpty }
    }

    typealias OnHead = @Sendable (ResponseHead) -> HeadVerdict
    typealias OnBody = @Sendable (Testimony) -> BodyVerdict

    let testimony = Watched(Testimony())
    private let pattern: BodyPattern?
    private let onHead: OnHead
    private let onBody: OnBody
    private let onEnd: @Sendable () -> Void
    private let isBusy = Atomic<Bool>(false)

    /// A handler that is asked for its verdicts; `onBody` is given what was received before these bytes.
    ///
    /// `pattern`: what the body must be, from its first byte on; nil: anything.
    init(
        _ pattern: BodyPattern? = BodyPattern(), onHead: @escaping OnHead = { _ in .accept },
        onBody: @escaping OnBody = { _ in .more }, onEnd: @escaping @Sendable () -> Void = {}
    ) {
        self.pattern = pattern
        self.onHead = onHead
        self.onBody = onBody
        self.onEnd = onEnd
    }

    func enter(_ phase: TaskPhase) {
        call { testimony in
            if !testimony.heads.isEmpty { testimony.offend("a phase came after the head") }
            testimony.phases.append(phase)
        }
    }

    func head(_ head: ResponseHead) -> HeadVerdict {
        call { testimony in
            if !testimony.heads.isEmpty { testimony.offend("a second head") }
            if head.status < 200 { testimony.offend("the head of an informational response") }
            testimony.heads.append(head)
        }
        return onHead(head)
    }

    func body(_ bytes: borrowing RawSpan) -> BodyVerdict {
        let before = testimony.value
        let isRight = pattern?.matches(bytes, at: before.received) ?? true
        let count = Int64(bytes.byteCount)
        let verdict = onBody(before)
        call { testimony in
            if testimony.heads.isEmpty { testimony.offend("a body before the head") }
            if count == 0 { testimony.offend("a body of no bytes") }
            if !isRight { testimony.offend("wrong bytes at \(before.received), piece of \(count)") }
            testimony.bodies += 1
            if case .more = verdict { testimony.received += count }
            if case .full = verdict { testimony.fulls += 1 }
        }
        return verdict
    }

    func end(_ outcome: ExchangeOutcome) {
        call { $0.outcomes.append(outcome) }
        onEnd()
    }

    private func call(_ body: (inout Testimony) -> Void) {
        let overlaps = isBusy.exchange(true, ordering: .acquiringAndReleasing)
        testimony.change { testimony in
            if overlaps { testimony.offend("two calls at the same time") }
            if testimony.isOver { testimony.offend("a call after the end") }
            body(&testimony)
        }
        isBusy.store(false, ordering: .releasing)
    }

    /// Waits for the end, and throws for anything that may never be.
    @discardableResult
    func end(fileID: String = #fileID, filePath: String = #filePath, line: Int = #line) async throws -> Testimony {
        let testimony = await testimony.until { $0.isOver }
        try expect(
            testimony.offence == nil, testimony.offence ?? "", fileID: fileID, filePath: filePath, line: line)
        try expect(
            testimony.outcomes.count == 1, "\(testimony.outcomes.count) ends", fileID: fileID, filePath: filePath,
            line: line)
        return testimony
    }

    /// Waits for the end, which must be this one.
    @discardableResult
    func end(
        _ wanted: ExchangeOutcome.Result, fileID: String = #fileID, filePath: String = #filePath, line: Int = #line
    ) async throws -> Testimony {
        let testimony = try await end(fileID: fileID, filePath: filePath, line: line)
        try expectEqual(
            testimony.outcomes[0].result, wanted, "the end", fileID: fileID, filePath: filePath, line: line)
        return testimony
    }
}

extension Witness.Testimony {
    mutating func offend(_ what: String) { offence = offence ?? what }
}
