import Dispatch
public import WhirlCore

/// A transport without a network: a script says what comes of each request.
///
/// - It keeps the promises of the seam: calls are serial, one thread at a time; `pause` (with the capability) and a
///   verdict `full` hold back body and end until `unpause`; `cancel` is followed by the end and nothing else.
/// - The handler is never called from within `start`, `pause`, `unpause` or `cancel`.
/// - Keep it as long as its exchanges are under way: released, it does nothing more.
public final class ScriptedTransport: Transport {
    /// When things happen.
    public enum Pace: Sendable {
        /// As fast as they can, on a thread of the transport's own.
        case free
        /// Only within `step` and `run`, on the caller's thread.
        case stepped
    }

    /// What comes of a request; `number` counts the requests of its URL, from 1.
    public typealias Script = @Sendable (_ request: ExchangeRequest, _ number: Int) -> ScriptedAnswer

    private struct Record: Sendable {
        var requests: [ExchangeRequest] = []
        var underWay: [ScriptedExchange] = []
    }

    /// What it claims to be able to do.
    public let capabilities: Capabilities
    private let pace: Pace
    private let script: Script
    private let record = Shared(Record())
    private let queue = DispatchQueue(label: "whirl.scripted-transport")

    /// A transport that asks `script` about each request, on the thread that makes it.
    public init(
        _ capabilities: Capabilities = .scripted, pace: Pace = .free, script: @escaping Script
    ) {
        self.capabilities = capabilities
        self.pace = pace
        self.script = script
    }

    /// A transport with an answer for each URL; for any other it is 404.
    public convenience init(
        _ capabilities: Capabilities = .scripted, pace: Pace = .free, answers: [String: ScriptedAnswer]
    ) {
        self.init(capabilities, pace: pace) { request, _ in answers[request.url] ?? .answer(status: 404) }
    }

    /// Begins an exchange by the script.
    public func start(_ request: ExchangeRequest, _ handler: any ExchangeHandler) -> any Exchange {
        let number = record.change { record in
            record.requests.append(request)
            return record.requests.count { $0.url == request.url }
        }
        let exchange = ScriptedExchange(
            script(request, number), url: request.url, canPause: capabilities.contains(.pause), handler: handler
        ) { [weak self] in self?.wake($0) }
        record.change { $0.underWay.append(exchange) }
        wake(exchange)
        return exchange
    }

    // MARK: for tests

    /// The requests that were started, in order.
    public var requests: [ExchangeRequest] { record.value.requests }

    /// How many exchanges have not ended.
    public var underWay: Int { record.value.underWay.count }

    /// Returns the requests as soon as they meet the condition.
    @discardableResult
    public func until(_ condition: @escaping @Sendable ([ExchangeRequest]) -> Bool) async -> [ExchangeRequest] {
        await record.until { condition($0.requests) }.requests
    }

    /// Makes one call of a handler, of the oldest exchange (of that URL) that has one to make.
    ///
    /// False: nothing can happen now. For a stepped transport, on one thread at a time.
    @discardableResult
    public func step(_ url: String? = nil) -> Bool {
        precondition(pace == .stepped, "a free transport takes its steps by itself")
        for exchange in record.value.underWay where url == nil || exchange.url == url {
            if advance(exchange) { return true }
        }
        return false
    }

    /// Makes calls until nothing (of that URL) can happen without the test's doing; returns how many.
    @discardableResult
    public func run(_ url: String? = nil) -> Int {
        var count = 0
        while step(url) { count += 1 }
        return count
    }

    private func advance(_ exchange: ScriptedExchange) -> Bool {
        let isStep = exchange.step()
        if isStep, exchange.isOver { record.change { $0.underWay.removeAll { $0 === exchange } } }
        return isStep
    }

    private func wake(_ exchange: ScriptedExchange) {
        guard pace == .free else { return }
        queue.async { [weak self] in
            // One step a turn, so that exchanges take turns.
            if let self, advance(exchange) { wake(exchange) }
        }
    }
}

extension Capabilities {
    /// What a scripted transport can do unless it is told otherwise.
    public static var scripted: Capabilities { [.pause, .backpressure, .phases, .timings, .rawBody, .robust] }
}
