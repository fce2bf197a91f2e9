#if URLSession
import Dispatch
import Foundation
import FoundationNetworking
import Synchronization
import WhirlCore

/// One data task, from the request to its end.
///
/// Callbacks come one at a time on FoundationNetworking's queue; `cancel()` comes from anywhere and does not wait for
/// them. Whoever closes the exchange gives the end, unless the handler is being called: then its caller does, on return.
final class URLSessionExchange: Exchange {
    private struct State {
        var handler: (any ExchangeHandler)?
        var task: URLSessionDataTask?
        /// How it ended; once set, nothing but `end` is told.
        var result: ExchangeOutcome.Result?
        var isCalling = false
        var hasHead = false
        var takesBody = false
        var isChallenged = false
        /// The callback waits for `unpause()` or the end, on `gate`.
        var isWaiting = false
        /// `unpause()` came since the handler was last called.
        var isUnpaused = false
    }
    private let state: Mutex<State>
    private let gate = DispatchSemaphore(value: 0)
    private let method: String

    /// Where ends are given that no callback can give; the control queue may be waiting for FoundationNetworking's.
    private static let ends = DispatchQueue(label: "whirl.urlsession.ends")

    init(_ request: ExchangeRequest, _ handler: any ExchangeHandler) {
        method = request.method
        state = Mutex(State(handler: handler))
    }

    var isOpen: Bool { state.withLock { $0.result == nil } }

    // MARK: From outside

    func pause() {}  // Nothing holds one body back alone here: there is no such capability.

    func unpause() {
        let wakes = state.withLock { state in
            state.isUnpaused = true
            defer { state.isWaiting = false }
            return state.isWaiting
        }
        if wakes { gate.signal() }
    }

    func cancel() { stop(.cancelled) }

    func fail(_ error: TransferError) { stop(.failed(error)) }

    /// Ends it and, on the control queue, the task.
    private func stop(_ result: ExchangeOutcome.Result) {
        guard let givesEnd = close(result) else { return }
        if givesEnd { Self.ends.async { self.end() } }
        SessionDelegate.control.async { self.state.withLock { $0.task }?.cancel() }
    }

    // MARK: From the control queue

    /// Makes and starts the task, unless the exchange has ended.
    func begin(_ make: () -> URLSessionDataTask) {
        guard isOpen else { return }
        let task = make()
        state.withLock { $0.task = task }
        task.resume()
    }

    // MARK: From FoundationNetworking's queue

    /// A response, which may be an interim one.
    func receive(_ response: HTTPURLResponse) {
        let isNew = state.withLock { state in
            guard response.statusCode >= 200, !state.hasHead else { return false }
            state.hasHead = true
            return true
        }
        guard isNew, let verdict = call({ $0.head(ResponseHead(response)) }) else { return }
        switch verdict {
        case .accept:
            // What comes would be decoded, and cut short without an error when the encoded body is.
            if let encoding = response.bodyEncoding, mayHaveBody(response) {
                fail(.encoded(encoding, status: response.statusCode))
            } else {
                state.withLock { $0.takesBody = true }
            }
        case .discard: break
        case .abort: cancel()
        }
    }

    /// Bytes of the body: given again and again until they are taken.
    func receive(_ data: Data) {
        guard state.withLock({ $0.takesBody }) else { return }
        while let verdict = call({ $0.body(data.bytes) }) {
            switch verdict {
            case .more: return
            case .stop: return cancel()
            case .full: waitForUnpause()
            }
        }
    }

    /// The server wants credentials; the task is about to be cancelled for it.
    func challenge() {
        state.withLock { $0.isChallenged = true }
    }

    /// The task is over; `response` is the last one, also where `receive` was never called with it.
    func complete(_ error: NSError?, _ response: HTTPURLResponse?) {
        let isChallenged = state.withLock { state in
            state.task = nil
            return state.isChallenged
        }
        if error == nil || isChallenged, let response { receive(response) }
        let hasHead = state.withLock { $0.hasHead }
        let result: ExchangeOutcome.Result =
            switch error {
            case nil where hasHead: .finished
            case _? where isChallenged && hasHead: .finished
            case let error?: .failed(TransferError(error, hasHead: hasHead))
            case nil: .failed(.unanswered)
            }
        if close(result) == true { end() }
    }

    private func mayHaveBody(_ response: HTTPURLResponse) -> Bool {
        method != "HEAD" && response.statusCode != 204 && response.statusCode != 304
    }

    private func waitForUnpause() {
        let waits = state.withLock { state in
            state.isWaiting = state.result == nil && !state.isUnpaused
            return state.isWaiting
        }
        if waits { gate.wait() }
    }

    // MARK: The handler

    /// Calls the handler, unless the exchange has ended; nil when it has, before or meanwhile.
    private func call<Verdict>(_ body: (any ExchangeHandler) -> Verdict) -> Verdict? {
        let handler = state.withLock { state -> (any ExchangeHandler)? in
            guard state.result == nil else { return nil }
            state.isCalling = true
            state.isUnpaused = false
            return state.handler
        }
        guard let handler else { return nil }
        let verdict = body(handler)
        let isOpen = state.withLock { state in
            state.isCalling = false
            return state.result == nil
        }
        guard isOpen else {
            end()
            return nil
        }
        return verdict
    }

    /// Fixes how it ended; nil if it had ended before, true if the caller has to give the end.
    private func close(_ result: ExchangeOutcome.Result) -> Bool? {
        let (givesEnd, wakes) = state.withLock { state -> (Bool?, Bool) in
            guard state.result == nil else { return (nil, false) }
            state.result = result
            defer { state.isWaiting = false }
            return (!state.isCalling, state.isWaiting)
        }
        if wakes { gate.signal() }
        return givesEnd
    }

    /// Gives the end, and forgets the handler.
    private func end() {
        let (handler, result) = state.withLock { state in
            defer { state.handler = nil }
            return (state.handler, state.result)
        }
        if let handler, let result { handler.end(ExchangeOutcome(result)) }
    }
}
#endif
