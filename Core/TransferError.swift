/// Why a transfer failed, in one vocabulary for all transports.
public struct TransferError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The kind of failure.
    public var code: Code
    /// A sentence for people, without secrets.
    public var message: String
    /// The transport that found it; nil when it was none.
    public var transport: String?
    /// The transport's own number (a CURLcode, an NSURLError, an errno); nil when there is none.
    public var native: Int?
    /// The HTTP status, when there was an answer.
    public var status: Int?
    /// Whether another attempt may help.
    public var isRetryable: Bool

    /// A failure; `isRetryable` follows from the code unless it is given.
    public init(
        _ code: Code, _ message: String, transport: String? = nil, native: Int? = nil, status: Int? = nil,
        isRetryable: Bool? = nil
    ) {
        self.code = code
        self.message = message
        self.transport = transport
        self.native = native
        self.status = status
        self.isRetryable = isRetryable ?? code.isUsuallyRetryable
    }

    /// The code and the sentence.
    public var description: String { "\(code): \(message)" }
}
