/// Durations in milliseconds by the names of HAR 1.2 (section `timings`); nil where the transport has none.
public struct ExchangeTimings: Equatable, Sendable {
    /// Waiting for a connection.
    public var blocked: Double?
    /// Resolving the name.
    public var dns: Double?
    /// Connecting, the secure channel included.
    public var connect: Double?
    /// Securing the channel.
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
