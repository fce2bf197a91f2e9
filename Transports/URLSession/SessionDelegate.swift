#if URLSession
import Dispatch
import Foundation
import FoundationNetworking
import Synchronization
import WhirlCore

/// Hands FoundationNetworking's callbacks to the exchanges they are about.
final class SessionDelegate: NSObject, URLSessionDataDelegate, Sendable {
    /// Where every call goes that controls a session or a task.
    ///
    /// Such calls wait for FoundationNetworking's queue, so they are never made in a callback; answers to its questions go
    /// the same way, so that they keep their order with them. One for all transports, as that queue is one for all sessions.
    static let control = DispatchQueue(label: "whirl.urlsession.control")

    private struct State {
        /// Those without a task as yet.
        var waiting: [ObjectIdentifier: URLSessionExchange] = [:]
        /// The others, by their tasks' identifiers.
        var exchanges: [Int: URLSessionExchange] = [:]
    }
    private let state = Mutex(State())

    /// Makes and starts the exchange's task in `session`, soon.
    func begin(_ exchange: URLSessionExchange, _ request: URLRequest, in session: URLSession) {
        state.withLock { $0.waiting[ObjectIdentifier(exchange)] = exchange }
        Self.control.async {
            exchange.begin {
                let task = session.dataTask(with: request)
                self.state.withLock { $0.exchanges[task.taskIdentifier] = exchange }
                return task
            }
            self.state.withLock { $0.waiting[ObjectIdentifier(exchange)] = nil }
        }
    }

    /// Ends all that is under way in `session`, then lets go of the session.
    ///
    /// The exchanges end here and not on the control queue: that may be waiting for a callback which waits for one of them.
    func finish(_ session: URLSession) {
        let exchanges = state.withLock { Array($0.waiting.values) + Array($0.exchanges.values) }
        for exchange in exchanges { exchange.cancel() }
        // Not `invalidateAndCancel`, which reads the session's list of tasks on the wrong queue.
        Self.control.async { session.finishTasksAndInvalidate() }
    }

    private func exchange(_ task: URLSessionTask) -> URLSessionExchange? {
        state.withLock { $0.exchanges[task.taskIdentifier] }
    }

    func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
        completionHandler(.allow)  // Ignored on Linux.
        if let response = response as? HTTPURLResponse { exchange(dataTask)?.receive(response) }
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        exchange(dataTask)?.receive(data)
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        // Nil: the redirect itself is the answer. Not after `cancel()`: the task is then no longer waiting, which traps.
        let exchange = exchange(task)
        Self.control.async { if exchange?.isOpen == true { completionHandler(nil) } }
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        // The 401 was received whole by now. Every other disposition asks again or never ends.
        exchange(task)?.challenge()
        Self.control.async { completionHandler(.cancelAuthenticationChallenge, nil) }
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        let exchange = state.withLock { $0.exchanges.removeValue(forKey: task.taskIdentifier) }
        exchange?.complete(error.map { $0 as NSError }, task.response as? HTTPURLResponse)
    }
}
#endif
