import WhirlCore
import WhirlLoopback

extension Fault {
    /// Every fault that a server of one route can have.
    ///
    /// The exceptions of `urlsession` are those of FoundationNetworking in Swift 6.3.1.
    public static let all: [Fault] = connections + heads + fields + statusLines + lengths + bodies + slow

    private static let connections = [
        Fault("empty", "closes without a byte", .closesAtOnce, .fails(.reset)),
        Fault("reset", "resets before the head", .resetsAtOnce, .fails(.reset)),
        Fault("reset-head", "resets right after the head", .resets(after: 0), .fails(.reset), heads: 1),
        Fault("reset-body", "resets in the body", .resets(after: 1000), .fails(.reset), heads: 1),
    ]

    private static let heads = [
        Fault(
            "head-status-only", "closes after the status line", .raw("HTTP/1.1 200 OK\r\n"), .fails(.reset),
            urlsession: .dies),
        Fault("head-cut", "closes within the header block", .cutsHead, .fails(.reset), urlsession: .dies),
        Fault(
            "head-cut-length", "closes within the header block, after the length",
            .raw("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n"), .fails(.reset)),
        Fault(
            "head-long-line", "sends a field of 110 KB",
            .script([.head("200 OK", ["Content-Length: 0", "X-Long: " + String(repeating: "x", count: 110_000)])]),
            .fails(.malformed)),
        Fault("endless-head", "sends fields without end", endlessHead, .fails(.malformed)),
        Fault(
            "endless-informational", "sends informational responses without end", endlessInformational,
            .fails(.malformed)),
        Fault(
            "location-host", "redirects to //[::1]/x", .redirect(to: "//[::1]/x"), .finishes, heads: 1,
            task: .fails(.connect), urlsession: .dies),
        Fault(
            "location-none", "redirects without saying where to", .redirectWithoutLocation, .finishes, heads: 1,
            task: .fails(.redirect)),
    ]

    private static let fields = [
        field("no-colon", "sends a field without a colon", "nonsense\r\n", .fails(.malformed)),
        field("no-space", "sends a field without a space after the colon", "X:1\r\n", .finishes, .fails(.malformed)),
        field("blank-value", "sends a field of blanks", "X:  \r\n", .finishes, .fails(.malformed)),
        field("line-feed", "ends a field by a line feed alone", "X: 1\n", .finishes, .fails(.malformed)),
        field("odd-name", "sends a field whose name is X(y)", "X(y): 1\r\n", .finishes, .fails(.malformed)),
        field("blank-name", "sends a field with a blank before the colon", "X : 1\r\n", .finishes, .fails(.malformed)),
    ]

    private static func field(
        _ id: String, _ words: String, _ line: String, _ ending: Ending, _ urlsession: Ending? = nil
    ) -> Fault {
        let route = Route.raw("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\(line)\r\nok")
        return Fault(
            "field-" + id, words, route, ending, heads: ending == .finishes ? 1 : 0, urlsession: urlsession)
    }

    private static let statusLines = [
        Fault(
            "status-no-reason", "gives no reason phrase", .raw("HTTP/1.1 200\r\nContent-Length: 2\r\n\r\nok"),
            .finishes,
            heads: 1, urlsession: .fails(.malformed)),
        Fault("status-none", "sends no head at all", .raw("ok, here it is\n"), .fails(.malformed)),
        Fault(
            "status-99", "sends the status 99", .raw("HTTP/1.1 099 Odd\r\nContent-Length: 0\r\n\r\n"),
            .fails(.malformed)),
    ]

    private static let lengths = [
        Fault("length", "sends the length -5", .contentLength("-5"), .fails(.malformed)),
        Fault(
            "length-overlong", "sends a length of 20 digits", .contentLength("99999999999999999999"), .finishes,
            heads: 1, task: .fails(.malformed)),
        Fault(
            "length-huge", "sends a length near 2^63 and too little", .contentLength("9223372036854775800"),
            .fails(.truncated), heads: 1, task: .fails(.diskFull), urlsession: .dies),
        Fault(
            "length-twice", "sends two lengths that differ",
            .raw("HTTP/1.1 200 OK\r\nContent-Length: 7\r\nContent-Length: 5\r\n\r\nhello"), .finishes, heads: 1,
            task: .fails(.malformed)),
        Fault(
            "short", "sends fewer bytes than it said", .short(1000, of: 2000), .fails(.truncated), heads: 1),
    ]

    private static let bodies = [
        Fault(
            "chunks-cut", "ends a chunked body without its last chunk", .chunkedWithoutEnd(1000), .fails(.truncated),
            heads: 1),
        Fault("chunk-size", "sends a chunk whose size is no number", .badChunkSize, .fails(.malformed), heads: 1),
        Fault(
            "trailers", "sends trailers", .trailers(1000, ["X-After: 1", "Content-Length: 7"]), .finishes, heads: 1,
            urlsession: .dies),
        Fault(
            "gzip", "encodes with gzip though identity was asked", .gzip, .finishes, heads: 1,
            urlsession: .fails(.unsupported)),
        Fault(
            "gzip-cut", "sends a gzip stream that is cut short, of the length it says",
            .script([
                .head("200 OK", ["Content-Encoding: gzip", "Content-Length: 10"]),
                .content(Array(Route.gzipped[..<10])),
            ]),
            .finishes, heads: 1, urlsession: .fails(.unsupported)),
    ]

    private static let slow = [
        Fault("trickle", "sends a byte every 20 ms", .bytes(25, pace: Pace(piece: 1, pause: 20)), .finishes, heads: 1),
        Fault(
            "stall", "stalls on the last byte", .stallsOnLastByte(of: 1000), .waits, heads: 1, task: .fails(.stalled)),
        Fault("silent", "takes the request and never answers", .silent, .waits, task: .fails(.timeout)),
    ]

    private static let endlessHead: Route = {
        let line = Route.Step.text("X-More: " + String(repeating: "more", count: 250) + "\r\n")
        return .script([.text("HTTP/1.1 200 OK\r\n")] + Array(repeating: line, count: 2000) + [.hold])
    }()

    private static let endlessInformational: Route = {
        let hint = Route.Step.text("HTTP/1.1 103 Early Hints\r\nLink: </style.css>; rel=preload\r\n\r\n")
        return .script(Array(repeating: hint, count: 20_000) + [.hold])
    }()
}
