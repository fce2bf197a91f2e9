import Synchronization
import WhirlConformance
import WhirlCore

/// A transport that does one thing wrong, and all else as a good one does.
struct WrongTransport: Transport {
    /// What is wrong.
    enum Fault: String, CaseIterable, Sendable {
        case dropsByte = "loses the first byte of a body"
        case endsTwice = "ends every exchange twice"
        case tellsInformational = "passes informational responses on"
        case forgetsCancel = "does nothing when it is cancelled"
        case followsRedirects = "gives a redirect out as a success"
        case ignoresFull = "takes bytes that were refused for taken"
        case keepsHandler = "never lets go of a handler"
    }

    let base: any Transport
    let fault: Fault
    private let kept = Kept()

    init(_ base: any Transport, _ fault: Fault) {
        self.base = base
        self.fault = fault
    }

    var capabilities: Capabilities { base.capabilities }

    func start(_ request: ExchangeRequest, _ handler: any ExchangeHandler) -> any Exchange {
        if fault == .keepsHandler { kept.handlers.withLock { $0.append(handler) } }
        let exchange = base.start(request, WrongHandler(handler, fault))
        return fault == .forgetsCancel ? Forgetful(base: exchange) : exchange
    }

    private final class Kept: Sendable {
        let handlers = Mutex<[any ExchangeHandler]>([])
    }
}

private struct Forgetful: Exchange {
    let base: any Exchange

    func pause() { base.pause() }
    func unpause() { base.unpause() }
    func cancel() {}
}

private final class WrongHandler: ExchangeHandler {
    private let handler: any ExchangeHandler
    private let fault: WrongTransport.Fault
    private let isFirst = Atomic(true)

    init(_ handler: any ExchangeHandler, _ fault: WrongTransport.Fault) {
        self.handler = handler
        self.fault = fault
    }

    func enter(_ phase: TaskPhase) { handler.enter(phase) }

    func head(_ head: ResponseHead) -> HeadVerdict {
        if fault == .tellsInformational { _ = handler.head(ResponseHead(status: 103, block: [])) }
        guard fault == .followsRedirects, head.status / 100 == 3, head.status != 304 else { return handler.head(head) }
        return handler.head(ResponseHead(status: 200, version: head.version, fields: head.fields))
    }

    func body(_ bytes: borrowing RawSpan) -> BodyVerdict {
        switch fault {
        case .dropsByte where isFirst.load(ordering: .relaxed):
            if bytes.byteCount == 1 {
                isFirst.store(false, ordering: .relaxed)
                return .more
            }
            let verdict = handler.body(bytes.extracting(droppingFirst: 1))
            if verdict == .more { isFirst.store(false, ordering: .relaxed) }
            return verdict
        case .ignoresFull:
            return handler.body(bytes) == .stop ? .stop : .more
        default: return handler.body(bytes)
        }
    }

    func end(_ outcome: ExchangeOutcome) {
        handler.end(outcome)
        if fault == .endsTwice { handler.end(outcome) }
    }
}
