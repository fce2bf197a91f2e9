import Synchronization
import WhirlCore

/// One exchange of a scripted transport: a script, how far it has come, and what holds it up.
final class ScriptedExchange: Exchange {
    fileprivate enum Action {
        case phase(TaskPhase)
        case head(ResponseHead)
        case body([UInt8])
        case run(@Sendable () -> Void)
        case end(ExchangeOutcome)
    }

    fileprivate struct State {
        var steps: ArraySlice<ScriptedAnswer.Step>
        /// Nil once the exchange is over.
        var handler: (any ExchangeHandler)?
        var isCalling = false
        var isPaused = false
        var isFull = false
        var isDiscarding = false
        var isCancelled = false
        var unpauses = 0
    }

    let url: String
    private let canPause: Bool
    private let state: Mutex<State>
    /// Says that there may be something to do.
    private let wake: @Sendable (ScriptedExchange) -> Void

    init(
        _ answer: ScriptedAnswer, url: String, canPause: Bool, handler: any ExchangeHandler,
        wake: @escaping @Sendable (ScriptedExchange) -> Void
    ) {
        self.url = url
        self.canPause = canPause
        self.wake = wake
        state = Mutex(State(steps: answer.steps[...], handler: handler))
        for case .wait(let latch) in answer.steps {
            latch.whenOpen { [weak self] in
                if let self { wake(self) }
            }
        }
    }

    var isOver: Bool { state.withLock { $0.handler == nil } }

    // MARK: the seam

    func pause() {
        guard canPause else { return }
        state.withLock { $0.isPaused = true }
    }

    func unpause() {
        state.withLock { state in
            state.isPaused = false
            state.isFull = false
            state.unpauses += 1
        }
        wake(self)
    }

    func cancel() {
        state.withLock { $0.isCancelled = true }
        wake(self)
    }

    // MARK: the script

    /// Makes the next call of the handler; false when nothing can be done now.
    func step() -> Bool {
        let due = state.withLock { state -> (Action, any ExchangeHandler, Int)? in
            guard !state.isCalling, let handler = state.handler, let action = state.next() else { return nil }
            state.isCalling = true
            if case .end = action { state.handler = nil }
            return (action, handler, state.unpauses)
        }
        guard let (action, handler, unpauses) = due else { return false }
        let verdict = call(handler, action)
        state.withLock { state in
            state.isCalling = false
            state.obey(verdict, unpausedMeanwhile: state.unpauses != unpauses)
        }
        return true
    }

    fileprivate enum Verdict { case head(HeadVerdict), body(BodyVerdict), none }

    private func call(_ handler: any ExchangeHandler, _ action: Action) -> Verdict {
        switch action {
        case .phase(let phase): handler.enter(phase)
        case .head(let head): return .head(handler.head(head))
        case .body(let bytes): return .body(unsafe handler.body(bytes.span.bytes))
        case .run(let body): body()
        case .end(let outcome): handler.end(outcome)
        }
        return .none
    }
}

extension ScriptedExchange.State {
    /// The next call to make; nil: none can be made now.
    ///
    /// A body stays in the script until it has been taken.
    fileprivate mutating func next() -> ScriptedExchange.Action? {
        if isCancelled { return .end(ExchangeOutcome(.cancelled)) }
        let isHeld = isPaused || isFull
        while let step = steps.first {
            switch step {
            case .wait(let latch):
                guard latch.isOpen else { return nil }
            case .body(let bytes):
                if isHeld { return nil }
                if !isDiscarding, !bytes.isEmpty { return .body(bytes) }
            case .end(let outcome):
                return isHeld ? nil : .end(outcome)
            case .phase(let phase):
                steps.removeFirst()
                return .phase(phase)
            case .head(let head):
                steps.removeFirst()
                return .head(head)
            case .run(let body):
                steps.removeFirst()
                return .run(body)
            }
            steps.removeFirst()
        }
        return isHeld ? nil : .end(ExchangeOutcome(.finished))
    }

    /// An unpause that came while `full` was being decided is not lost.
    fileprivate mutating func obey(_ verdict: ScriptedExchange.Verdict, unpausedMeanwhile: Bool) {
        switch verdict {
        case .head(.discard): isDiscarding = true
        case .head(.abort), .body(.stop): isCancelled = true
        case .body(.more): steps.removeFirst()
        case .body(.full): isFull = !unpausedMeanwhile
        case .head(.accept), .none: break
        }
    }
}
