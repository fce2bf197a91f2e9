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
    /// Give it to the handler.
    case accept
    /// Swallow it, so that the connection stays of use.
    case discard
    /// End the exchange as cancelled.
    case abort
}

/// What to do with the rest of a body.
public enum BodyVerdict: Sendable {
    /// These bytes were taken; give the next ones.
    case more
    /// These bytes were not taken: hold the server back and give them again after `unpause()`.
    case full
    /// End the exchange as cancelled.
    case stop
}
