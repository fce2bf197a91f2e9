import Dispatch
import WhirlCore

/// A transport that answers every request at once with a small body.
struct InstantTransport: Transport {
    private let queue = DispatchQueue(label: "whirl.instant")

    let capabilities: Capabilities = []

    func start(_ request: ExchangeRequest, _ handler: any ExchangeHandler) -> any Exchange {
        queue.async {
            let head = ResponseHead(status: 200, fields: [HTTPField("Content-Length", "5")])
            guard handler.head(head) == .accept else { return handler.end(ExchangeOutcome(.cancelled)) }
            let isTaken = unsafe handler.body(Array("hello".utf8).span.bytes) == .more
            handler.end(ExchangeOutcome(isTaken ? .finished : .cancelled))
        }
        return Done()
    }

    /// Nothing is left to be controlled.
    private struct Done: Exchange {
        func pause() {}
        func unpause() {}
        func cancel() {}
    }
}
