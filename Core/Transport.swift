/// An engine that performs exchanges: one request and its response on the wire each.
///
/// - It never follows a redirect, never retries, never decodes, never times a whole transfer, never names files.
/// - Requests are sent as given; the session asks for `Accept-Encoding: identity`.
public protocol Transport: Sendable {
    /// What it can do: callers ask for a capability, never for a transport's name.
    var capabilities: Capabilities { get }

    /// Begins an exchange. Calls of `handler` may come before this returns; it never throws: what is wrong is `end`'s
    /// outcome.
    func start(_ request: ExchangeRequest, _ handler: any ExchangeHandler) -> any Exchange
}

/// The handle of an exchange under way.
///
/// Every call may come from any thread, never blocks, is idempotent, and has no effect after the end.
public protocol Exchange: Sendable {
    /// Holds the body back on the same connection, with flat memory, where the capability says so; else does nothing.
    func pause()
    /// Goes on with the exact next byte, after `pause()` or after a body verdict `full`.
    func unpause()
    /// Ends the exchange; within 100 ms nothing but `end` with `cancelled` follows.
    func cancel()
}

/// Who is told of an exchange.
///
/// Calls are serial, on the transport's thread; none may block for long.
public protocol ExchangeHandler: AnyObject, Sendable {
    /// The exchange has come this far; only of transports with the capability, and only steps that were taken.
    func enter(_ phase: TaskPhase)
    /// The final response's head: once, status 200 or above, complete, before any body.
    func head(_ head: ResponseHead) -> HeadVerdict
    /// The next bytes of the body, as they came; valid during the call only.
    func body(_ bytes: borrowing RawSpan) -> BodyVerdict
    /// The end: exactly once, last; after it the transport has forgotten the handler.
    func end(_ outcome: ExchangeOutcome)
}

extension ExchangeHandler {
    /// By default phases are of no interest.
    public func enter(_ phase: TaskPhase) {}
}

/// What to do with the body that follows a head.
public enum HeadVerdict: Sendable {
    case accept
    /// Swallow it, so that the connection stays of use.
    case discard
    /// End the exchange as cancelled.
    case abort
}

/// What to do with the rest of a body.
public enum BodyVerdict: Sendable {
    case more
    /// These bytes were not taken: hold the server back and give them again after `unpause()`.
    case full
    /// End the exchange as cancelled.
    case stop
}

/// How an exchange ended.
public struct ExchangeOutcome: Sendable {
    /// The end itself.
    public enum Result: Equatable, Sendable {
        /// As far as the transport can tell, all was received.
        case finished
        case cancelled
        case failed(TransferError)
    }
    /// The end itself.
    public var result: Result
    /// How long its parts took; nil where the transport can't tell.
    public var timings: ExchangeTimings?

    /// An end.
    public init(_ result: Result, timings: ExchangeTimings? = nil) {
        self.result = result
        self.timings = timings
    }
}

/// What to put on the wire.
public struct ExchangeRequest: Sendable {
    /// An RFC 9110 method in capitals.
    public var method: String
    /// An absolute `http` or `https` URL without userinfo and fragment.
    public var url: String
    /// Header fields, in order.
    public var fields: [HTTPField]

    /// A request without a body.
    public init(method: String = "GET", url: String, fields: [HTTPField] = []) {
        self.method = method
        self.url = url
        self.fields = fields
    }
}

/// One header field (RFC 9110, section 5).
public struct HTTPField: Equatable, Sendable {
    /// As it is sent or was received.
    public var name: String
    /// Without blanks around it.
    public var value: String

    /// A field; the name is compared without regard to case.
    public init(_ name: String, _ value: String) {
        self.name = name
        self.value = value
    }
}
