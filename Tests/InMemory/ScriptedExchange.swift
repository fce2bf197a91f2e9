import Synchronization
import WhirlCore

/// One exchange of a scripted transport: where its script is, and what holds it back.
final class ScriptedExchange: Exchange {
    fileprivate struct State {
        var steps: ArraySlice<Step>
        var handler: (any ExchangeHandler)?
        var isPaused = false
        /// The handler did not take the bytes it was given last.
        var isFull = false
        var isCancelled = false
        var discards = false
    }

    /// What to do next, found out under the lock and done without it.
    fileprivate enum Move {
        case step(Step, any ExchangeHandler, discards: Bool)
        case end(ExchangeOutcome.Result)
        case nothing
    }

    private let request: ExchangeRequest
    private let transport: ScriptedTransport
    private let state: Mutex<State>

    init(
        _ request: ExchangeRequest, _ steps: [Step], _ handler: any ExchangeHandler, _ transport: ScriptedTransport
    ) {
        self.request = request
        self.transport = transport
        state = Mutex(State(steps: steps[...], handler: handler))
    }

    // MARK: the handle

    func pause() {
        guard transport.capabilities.contains(.pause), tell({ $0.isPaused = true }) else { return }
        transport.change { $0.pauses += 1 }
    }

    func unpause() {
        let isHeard = tell { state in
            state.isPaused = false
            state.isFull = false
        }
        guard isHeard else { return }
        transport.change { $0.unpauses += 1 }
        transport.advance(self)
    }

    func cancel() {
        guard tell({ $0.isCancelled = true }) else { return }
        transport.change { $0.cancels += 1 }
        transport.advance(self)
    }

    /// False after the end.
    private func tell(_ body: (inout State) -> Void) -> Bool {
        state.withLock { state in
            guard state.handler != nil else { return false }
            body(&state)
            return true
        }
    }

    // MARK: the script, on the transport's thread

    func advance() {
        while true {
            switch state.withLock({ $0.next }) {
            case .nothing: return
            case .end(let result): return end(result)
            case .step(let step, let handler, let discards):
                guard take(step, handler, discards) else { return }
            }
        }
    }

    /// Does one step; false when the script waits for a latch.
    private func take(_ step: Step, _ handler: any ExchangeHandler, _ discards: Bool) -> Bool {
        switch step {
        case .phase(let phase): handler.enter(phase)
        case .call(let body): body()
        case .head(let head): obey(handler.head(head))
        case .body(let bytes):
            if !discards, unsafe !obey(handler.body(bytes.span.bytes)) { return true }
        case .wait(let latch), .hang(let latch):
            if latch.wait({ [self] in transport.advance(self) }) { return false }
        case .end: break
        }
        state.withLock { $0.steps = $0.steps.dropFirst() }
        return true
    }

    private func obey(_ verdict: HeadVerdict) {
        state.withLock { state in
            switch verdict {
            case .accept: break
            case .discard: state.discards = true
            case .abort: state.isCancelled = true
            }
        }
    }

    /// Whether the bytes were taken.
    private func obey(_ verdict: BodyVerdict) -> Bool {
        state.withLock { state in
            switch verdict {
            case .more: return true
            case .full: state.isFull = true
            case .stop: state.isCancelled = true
            }
            return false
        }
    }

    private func end(_ result: ExchangeOutcome.Result) {
        guard let handler = state.withLock({ $0.handler.take() }) else { return }
        transport.change { $0.end(request) }
        handler.end(ExchangeOutcome(result))
    }
}

extension ScriptedExchange.State {
    fileprivate var next: ScriptedExchange.Move {
        guard let handler else { return .nothing }
        let step = steps.first ?? .end(.finished)
        if case .hang(let latch) = step, !latch.isOpen { return .step(step, handler, discards: discards) }
        if isCancelled { return .end(.cancelled) }
        let isHeld = (isPaused || isFull) && !discards
        switch step {
        case .body where isHeld, .end(.finished) where isHeld: return .nothing
        case .end(let result): return .end(result)
        default: return .step(step, handler, discards: discards)
        }
    }
}
