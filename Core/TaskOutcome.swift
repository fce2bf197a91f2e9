/// How a task ended.
public indirect enum TaskOutcome: Equatable, Sendable {
    /// All is there and in its place.
    case completed(TaskCompletion)
    /// It did not work, and will not be tried again.
    case failed(TransferError)
    /// There was nothing to do, such as `exists`.
    case skipped(reason: String)
    /// Ended on purpose: `user`, `signal`, …
    case cancelled(reason: String)
}

/// What a task that completed has to say.
public struct TaskCompletion: Equatable, Sendable {
    /// The last HTTP status.
    public var status: Int?
    /// Lower-case hexadecimal digests by algorithm (`sha256`), of those that were computed.
    public var digests: [String: String]
    /// Where the bytes are, when that is another path than the task was created with.
    public var destination: String?
    /// How long the parts of the last exchange took; nil when the transport can't tell.
    public var timings: ExchangeTimings?

    /// What is known of a completed transfer.
    public init(
        status: Int? = nil, digests: [String: String] = [:], destination: String? = nil,
        timings: ExchangeTimings? = nil
    ) {
        self.status = status
        self.destination = destination
        self.digests = digests
        self.timings = timings
    }
}
