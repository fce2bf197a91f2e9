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

    /// What few requests have.
    private struct Extras {
        var mirrors: [String] = []
        var fields: [HTTPField] = []
        var digests: [DigestAlgorithm: String] = [:]
        var size: Int64?
        var number: Int?
    }
    /// By reference: a list may have millions of requests, and each is handed on several times.
    private final class Shared: Sendable {
        let extras: Extras

        init(_ extras: Extras) { self.extras = extras }
    }

    /// An absolute `http` or `https` URL; userinfo in it becomes Basic credentials (RFC 7617).
    public var url: String
    /// Where the bytes go.
    public var destination: Destination
    /// Nil: it has none of it.
    private var shared: Shared?

    /// Other URLs of the same bytes, tried in order when one fails.
    public var mirrors: [String] {
        get { shared?.extras.mirrors ?? [] }
        set { set(\.mirrors, newValue) }
    }
    /// Header fields beside the session's.
    public var fields: [HTTPField] {
        get { shared?.extras.fields ?? [] }
        set { set(\.fields, newValue) }
    }
    /// What the bytes must hash to, in hexadecimal; of several, all must be right.
    public var digests: [DigestAlgorithm: String] {
        get { shared?.extras.digests ?? [:] }
        set { set(\.digests, newValue) }
    }
    /// How many bytes there must be; nil: any number.
    public var size: Int64? {
        get { shared?.extras.size }
        set { set(\.size, newValue) }
    }
    /// Its number in the run for templates, from 1; nil: the session counts.
    public var number: Int? {
        get { shared?.extras.number }
        set { set(\.number, newValue) }
    }

    /// A request to fetch `url`.
    public init(
        _ url: String, to destination: Destination = .suggested, fields: [HTTPField] = [],
        digests: [DigestAlgorithm: String] = [:], size: Int64? = nil, mirrors: [String] = []
    ) {
        self.url = url
        self.destination = destination
        if !fields.isEmpty || !digests.isEmpty || size != nil || !mirrors.isEmpty {
            shared = Shared(Extras(mirrors: mirrors, fields: fields, digests: digests, size: size))
        }
    }

    private mutating func set<Value>(_ path: WritableKeyPath<Extras, Value>, _ value: Value) {
        var extras = shared?.extras ?? Extras()
        extras[keyPath: path] = value
        shared = Shared(extras)
    }
}
