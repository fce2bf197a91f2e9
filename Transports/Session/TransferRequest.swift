public import WhirlCore

/// What to transfer.
public struct TransferRequest: Sendable {
    /// Where the bytes go.
    public enum Destination: Equatable, Sendable {
        /// A file of the name the URL suggests, in the session's directory.
        case suggested
        /// This path; a relative one is below the session's directory. A device, FIFO or socket is written in place.
        case path(String)
        /// A path in which `{host}`, `{path}`, `{name}`, `{stem}`, `{ext}` and `{index}` stand for parts of the URL, made
        /// harmless, and for the request's number in the run, from 1; `{{` stands for `{`.
        case template(String)
        /// The standard output, written in place.
        case standardOutput
    }

    /// An absolute `http` or `https` URL; userinfo in it becomes Basic credentials (RFC 7617).
    public var url: String
    /// Other URLs of the same bytes, tried in order when one fails.
    public var mirrors: [String]
    /// Where the bytes go.
    public var destination: Destination
    /// Header fields beside the session's.
    public var fields: [HTTPField]
    /// What the bytes must hash to, in hexadecimal; of several, all must be right.
    public var digests: [DigestAlgorithm: String]
    /// How many bytes there must be; nil: any number.
    public var size: Int64?
    /// Its number in the run for templates, from 1; nil: the session counts.
    public var number: Int?

    /// A request to fetch `url`.
    public init(
        _ url: String, to destination: Destination = .suggested, fields: [HTTPField] = [],
        digests: [DigestAlgorithm: String] = [:], size: Int64? = nil, mirrors: [String] = []
    ) {
        self.url = url
        self.mirrors = mirrors
        self.destination = destination
        self.fields = fields
        self.digests = digests
        self.size = size
    }
}
