/// What a server saw and did: the judge of tests.
public struct ServerRecord: Sendable {
    /// Every request, in the order of arrival.
    public internal(set) var requests: [ReceivedRequest] = []
    /// Connections accepted so far.
    public internal(set) var connections = 0
    /// Those of them that are open.
    public internal(set) var openConnections = 0
    /// Requests that are being answered.
    public internal(set) var answering = 0
    /// The most that were ever answered at once.
    public internal(set) var peakAnswering = 0

    /// The requests for `path`, whatever their query.
    public func requests(for path: String) -> [ReceivedRequest] { requests.filter { $0.path == path } }
    /// Body bytes that left the server, over all requests.
    public var bodySent: Int64 { requests.reduce(0) { $0 + $1.bodySent } }
}

/// One request, and how far its answer came.
public struct ReceivedRequest: Sendable {
    /// Its place in `ServerRecord.requests`.
    public let number: Int
    /// Which connection it came on, from 0.
    public let connection: Int
    /// Time since the server began.
    public let arrival: Duration
    /// As sent.
    public let method: String
    /// The target as sent, with its query.
    public let target: String
    /// Field lines, in order.
    public let fields: [(name: String, value: String)]
    /// `HTTP/1.1`, as sent.
    public let version: String

    /// Body bytes of the answer that the socket took.
    public internal(set) var bodySent: Int64 = 0
    /// The script is over, played to its end or not.
    public internal(set) var isAnswered = false
    /// The client closed or reset the connection before the script was over.
    public internal(set) var clientLeft = false

    /// The target without its query.
    public var path: String { String(target.prefix { $0 != "?" }) }

    /// The value of the first field of that name, whatever its case.
    public subscript(name: String) -> String? {
        let wanted = name.lowercased()
        return fields.first { $0.name.lowercased() == wanted }?.value
    }
}
