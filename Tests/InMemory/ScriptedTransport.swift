public import WhirlCore

/// A transport without a network: for each request a test writes a script of what happens.
///
/// It keeps the promises of `Transport`: serial calls, one `end`, last, and nothing after a cancel but `end`.
public final class ScriptedTransport: Transport {
    /// On which thread handlers are called.
    public enum Delivery: Sendable {
        /// On a serial queue of the transport's.
        case thread
        /// On the thread that calls `run()`, and only then.
        case stepped
        /// On the thread that starts, unpauses, cancels or opens a latch: an exchange may end inside `start`.
        case inline
    }

    /// As given.
    public let capabilities: Capabilities
    private let script: @Sendable (ExchangeRequest, Int) -> [Step]
    private let line: SerialLine
    private let watched = Watched(ScriptedRecord())

    /// A transport that plays, for each request, the script made of it and its number (from 0, in order of start).
    public init(
        _ delivery: Delivery = .thread, capabilities: Capabilities = [.pause, .backpressure, .phases, .robust],
        _ script: @escaping @Sendable (ExchangeRequest, Int) -> [Step]
    ) {
        self.capabilities = capabilities
        self.script = script
        line = SerialLine(delivery)
    }

    /// Notes the request and begins its script.
    public func start(_ request: ExchangeRequest, _ handler: any ExchangeHandler) -> any Exchange {
        let number = watched.change { $0.begin(request) }
        let exchange = ScriptedExchange(request, script(request, number), handler, self)
        advance(exchange)
        return exchange
    }

    /// Does all that can be done now, on this thread: for `stepped` delivery.
    public func run() { line.run() }

    /// What was asked so far.
    public var record: ScriptedRecord { watched.value }

    /// Waits until the record is so.
    ///
    /// `condition` is called by whoever changes the record and must be quick.
    @discardableResult
    public func until(_ condition: @escaping @Sendable (ScriptedRecord) -> Bool) async -> ScriptedRecord {
        await watched.until(condition)
    }

    func advance(_ exchange: ScriptedExchange) { line.post { exchange.advance() } }

    func change(_ body: (inout ScriptedRecord) -> Void) { watched.change(body) }
}
