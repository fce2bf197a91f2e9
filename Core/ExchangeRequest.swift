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
