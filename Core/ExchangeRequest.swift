/// What to put on the wire.
public struct ExchangeRequest: Sendable {
    /// An RFC 9110 method in capitals.
    public var method: String
    /// An absolute `http` or `https` URL without userinfo and fragment.
    public var url: String
    /// Header fields, in order.
    public var fields: [HTTPField]

    /// Seconds that whoever asks will wait for a connection; nil: as long as it takes.
    ///
    /// A hint for a transport that tries several addresses, so that a dead one leaves time for the next. The session's
    /// own timer holds in any case.
    public var connectTimeout: Double?

    /// Body bytes per second that whoever asks will take; nil: any number.
    ///
    /// A hint for a transport with buffers of its own: what lies in them the server has sent beyond the rate.
    public var rate: Int64?

    /// A request without a body.
    public init(
        method: String = "GET", url: String, fields: [HTTPField] = [], connectTimeout: Double? = nil,
        rate: Int64? = nil
    ) {
        self.connectTimeout = connectTimeout
        self.rate = rate
        self.method = method
        self.url = url
        self.fields = fields
    }
}
