/// What happened to a task.
///
/// The same value reaches observers in the process, the JSON Lines stream and replay.
public enum TaskEvent: Equatable, Sendable {
    /// The task runs: it has a slot.
    case resumed
    /// A new try begins; its number and offset are in the snapshot.
    case attempt
    /// The server sent the task elsewhere; `url` is redacted.
    indirect case redirected(status: Int, url: String)
    /// More bytes, a total, or another phase. Only the newest of several in a row is kept for a slow observer.
    case progress
    /// The task stopped for a while.
    indirect case suspended(reason: String)
    /// The end was asked for.
    case canceling
    /// The attempt failed with this error; another begins after `delay` seconds.
    indirect case retrying(delay: Double, error: TransferError)
    /// The bytes in hand were thrown away; the transfer goes on at the snapshot's offset.
    ///
    /// It comes before any lower number.
    indirect case restarted(reason: String)
    /// The one terminal event.
    indirect case ended(TaskOutcome)
}

/// How a task ended.
public enum TaskOutcome: Equatable, Sendable {
    case completed(TaskCompletion)
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
    /// How long the parts of the last exchange took; nil when the transport can't tell.
    public var timings: ExchangeTimings?

    /// What is known of a completed transfer.
    public init(status: Int? = nil, digests: [String: String] = [:], timings: ExchangeTimings? = nil) {
        self.status = status
        self.digests = digests
        self.timings = timings
    }
}

/// Durations in milliseconds by the names of HAR 1.2 (section `timings`); nil where the transport has none.
public struct ExchangeTimings: Equatable, Sendable {
    /// Waiting for a connection to become free.
    public var blocked: Double?
    /// Resolving the host's name.
    public var dns: Double?
    /// Connecting, TLS included, as HAR counts it.
    public var connect: Double?
    /// The TLS handshake, a part of `connect`.
    public var ssl: Double?
    /// Sending the request.
    public var send: Double?
    /// Waiting for the first byte of the answer.
    public var wait: Double?
    /// Receiving the answer.
    public var receive: Double?

    /// Durations of one exchange.
    public init(
        blocked: Double? = nil, dns: Double? = nil, connect: Double? = nil, ssl: Double? = nil, send: Double? = nil,
        wait: Double? = nil, receive: Double? = nil
    ) {
        self.blocked = blocked
        self.dns = dns
        self.connect = connect
        self.ssl = ssl
        self.send = send
        self.wait = wait
        self.receive = receive
    }
}
