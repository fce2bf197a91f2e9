public import WhirlCore

/// What to transfer.
public struct TransferRequest: Sendable {
    /// Where the bytes go.
    public enum Destination: Equatable, Sendable {
        /// A file of the name the URL suggests, in the session's directory.
        case suggested
        /// This path; a relative one is below the session's directory. A device, FIFO or socket is written in place.
        case path(String)
        /// The standard output, written in place.
        case standardOutput
    }

    /// An absolute `http` or `https` URL; userinfo in it becomes Basic credentials (RFC 7617).
    public var url: String
    /// Where the bytes go.
    public var destination: Destination
    /// Header fields beside the session's.
    public var fields: [HTTPField]

    /// A request to fetch `url`.
    public init(_ url: String, to destination: Destination = .suggested, fields: [HTTPField] = []) {
        self.url = url
        self.destination = destination
        self.fields = fields
    }
}
