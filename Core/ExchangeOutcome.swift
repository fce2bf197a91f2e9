/// How an exchange ended.
public struct ExchangeOutcome: Sendable {
    /// The end itself.
    public enum Result: Equatable, Sendable {
        /// As far as the transport can tell, all was received.
        case finished
        /// Someone asked for it: `cancel()`, or a verdict.
        case cancelled
        /// It did not work.
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
