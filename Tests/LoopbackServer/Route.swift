/// How a path is answered: a small script, made for each request.
public struct Route: Sendable {
    /// What a server does, one thing after the other.
    public enum Step: Sendable {
        /// Sends these bytes verbatim.
        case raw([UInt8])
        /// Sends a part of a body; not when the request is HEAD.
        case body(BodyPattern, Range<Int64>, chunked: Bool, Pace)
        /// Sends body bytes given here; not when the request is HEAD.
        case content([UInt8])
        /// Ends a chunked body; trailers are field lines without line ends.
        case endOfChunks(trailers: [String])
        case pause(milliseconds: Int)
        case wait(Gate)
        /// Nothing more until the client leaves.
        case hold
        /// Closes the connection in good order.
        case close
        /// Resets the connection.
        case reset
    }

    /// How the end of a body is marked.
    public enum Framing: Sendable {
        case length, chunked, close
    }

    /// Makes the script for a request.
    public let steps: @Sendable (ReceivedRequest) -> [Step]

    /// A script that depends on the request.
    public init(_ steps: @escaping @Sendable (ReceivedRequest) -> [Step]) { self.steps = steps }

    /// A script that is the same for every request.
    public static func script(_ steps: [Step]) -> Route { Route { _ in steps } }
}

/// How fast a body goes out.
public struct Pace: Sendable {
    /// Bytes per second; nil: as fast as the client takes them.
    public var bytesPerSecond: Int?
    /// Bytes per send; nil: as the pace needs.
    public var piece: Int?
    /// Milliseconds between two pieces.
    public var pause: Int
    /// Points in the body, by offset, before which the script waits for a gate.
    public var gates: [Int64: Gate]

    /// A pace; by default no pause at all.
    public init(bytesPerSecond: Int? = nil, piece: Int? = nil, pause: Int = 0, gates: [Int64: Gate] = [:]) {
        self.bytesPerSecond = bytesPerSecond
        self.piece = piece
        self.pause = pause
        self.gates = gates
    }

    /// As fast as the client takes it.
    public static let full = Pace()
    /// At most so many bytes per second.
    public static func rate(_ bytesPerSecond: Int) -> Pace { Pace(bytesPerSecond: bytesPerSecond) }
    /// Waits before the byte at `offset`.
    public static func gate(_ gate: Gate, at offset: Int64) -> Pace { Pace(gates: [offset: gate]) }
}

extension Route.Step {
    /// Sends a status line, field lines and the empty line.
    public static func head(_ status: String, _ fields: [String] = []) -> Route.Step {
        .text((["HTTP/1.1 " + status] + fields).map { $0 + "\r\n" }.joined() + "\r\n")
    }

    /// Sends this text verbatim.
    public static func text(_ text: String) -> Route.Step { .raw(Array(text.utf8)) }
}

extension Route {
    /// A body of `count` bytes of a pattern.
    public static func bytes(
        _ count: Int64, seed: Int = 1, framing: Framing = .length, pace: Pace = .full, status: String = "200 OK",
        fields: [String] = []
    ) -> Route {
        let body = Step.body(BodyPattern(seed), 0..<count, chunked: framing == .chunked, pace)
        return switch framing {
        case .length: .script([.head(status, fields + ["Content-Length: \(count)"]), body])
        case .chunked:
            .script([.head(status, fields + ["Transfer-Encoding: chunked"]), body, .endOfChunks(trailers: [])])
        case .close: .script([.head(status, fields + ["Connection: close"]), body, .close])
        }
    }

    /// A short text.
    public static func text(_ text: String, status: String = "200 OK", fields: [String] = []) -> Route {
        let fields = fields + ["Content-Type: text/plain; charset=utf-8", "Content-Length: \(text.utf8.count)"]
        return .script([.head(status, fields), .content(Array(text.utf8))])
    }

    /// A status that never has a body (204, 304).
    public static func bodiless(_ status: String, fields: [String] = []) -> Route {
        .script([.head(status, fields)])
    }

    /// A redirect to `location`, which may be relative.
    public static func redirect(_ status: String = "302 Found", to location: String) -> Route {
        .text("over there\n", status: status, fields: ["Location: \(location)"])
    }

    /// What is answered for a path without a route.
    public static let notFound = Route.text("not found\n", status: "404 Not Found")
}
