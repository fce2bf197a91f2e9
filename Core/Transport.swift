/// An engine that performs exchanges: one request and its response on the wire each.
///
/// - It never follows a redirect, never retries, never decodes, never times a whole transfer, never names files.
/// - Requests are sent as given; the session asks for `Accept-Encoding: identity`.
public protocol Transport: Sendable {
    /// What it can do: callers ask for a capability, never for a transport's name.
    var capabilities: Capabilities { get }

    /// Begins an exchange.
    ///
    /// Calls of `handler` may come before this returns. It never throws: what is wrong is `end`'s outcome.
    func start(_ request: ExchangeRequest, _ handler: any ExchangeHandler) -> any Exchange
}

/// The handle of an exchange under way.
///
/// Its calls may come from any thread, never block, are idempotent, and without effect after the end.
public protocol Exchange: Sendable {
    /// Holds the body back on the same connection, with flat memory, where the capability says so; else does nothing.
    func pause()
    /// Goes on with the exact next byte, after `pause()` or after a body verdict `full`.
    func unpause()
    /// Ends the exchange; within 100 ms nothing but `end` with `cancelled` follows.
    func cancel()
}
