extension Route {
    /// Closes the connection without a byte.
    public static let closesAtOnce = Route.script([.close])
    /// Resets the connection without a byte.
    public static let resetsAtOnce = Route.script([.reset])

    /// Resets the connection after the head, or after `sent` bytes of the body.
    public static func resets(after sent: Int64 = 0, of count: Int64 = 100_000, seed: Int = 1) -> Route {
        .script([
            .head("200 OK", ["Content-Length: \(count)"]),
            .body(BodyPattern(seed), 0..<sent, chunked: false, .full), .reset,
        ])
    }

    /// Closes the connection within the header block.
    public static let cutsHead = Route.script([.text("HTTP/1.1 200 OK\r\nServer: cut\r\nX-Half: yes\r\n"), .close])

    /// Declares `count` bytes, sends fewer, and closes in good order.
    public static func short(_ sent: Int64, of count: Int64, seed: Int = 1) -> Route {
        .script([
            .head("200 OK", ["Content-Length: \(count)"]),
            .body(BodyPattern(seed), 0..<sent, chunked: false, .full), .close,
        ])
    }

    /// A chunked body that is closed without its last chunk.
    public static func chunkedWithoutEnd(_ sent: Int64, seed: Int = 1) -> Route {
        .script([
            .head("200 OK", ["Transfer-Encoding: chunked"]),
            .body(BodyPattern(seed), 0..<sent, chunked: true, .full), .close,
        ])
    }

    /// A chunk whose size is no number.
    public static let badChunkSize = Route.script([
        .head("200 OK", ["Transfer-Encoding: chunked"]), .text("5\r\nhello\r\nzebra\r\nworld\r\n"), .close,
    ])

    /// A `Content-Length` that is no length.
    public static func contentLength(_ value: String) -> Route {
        .script([.head("200 OK", ["Content-Length: \(value)"]), .text("hello"), .close])
    }

    /// A chunked body with trailers.
    public static func trailers(_ count: Int64, _ trailers: [String], seed: Int = 1) -> Route {
        .script([
            .head("200 OK", ["Transfer-Encoding: chunked"]),
            .body(BodyPattern(seed), 0..<count, chunked: true, .full), .endOfChunks(trailers: trailers),
        ])
    }

    /// These bytes verbatim, then an orderly close.
    public static func raw(_ text: String) -> Route { .script([.text(text), .close]) }

    /// A body without end at `bytesPerSecond`.
    public static func endless(bytesPerSecond: Int, seed: Int = 1) -> Route {
        let pace = Pace.rate(bytesPerSecond)
        return .script([.head("200 OK"), .body(BodyPattern(seed), 0..<(1 << 50), chunked: false, pace), .close])
    }

    /// Sends all but the last byte, then nothing.
    public static func stallsOnLastByte(of count: Int64, seed: Int = 1) -> Route {
        .script([
            .head("200 OK", ["Content-Length: \(count)"]),
            .body(BodyPattern(seed), 0..<(count - 1), chunked: false, .full), .hold,
        ])
    }

    /// Takes the request and never answers.
    public static let silent = Route.script([.hold])

    /// Informational responses such as `103 Early Hints`, then those of another route.
    public static func informational(_ statuses: [String], then route: Route) -> Route {
        Route { request in
            statuses.map { Step.head($0, ["Link: </style.css>; rel=preload"]) } + route.steps(request)
        }
    }

    /// A body encoded with gzip, though identity was asked: `gzipped` on the wire, `abcde` and a line feed
    /// when decoded.
    public static let gzip = Route.script([
        .head("200 OK", ["Content-Encoding: gzip", "Content-Length: \(gzipped.count)"]), .content(gzipped),
    ])
    /// What `gzip` sends.
    public static let gzipped: [UInt8] = [
        0x1f, 0x8b, 0x08, 0x00, 0x00, 0x00, 0x00, 0x00, 0x02, 0x03, 0x4b, 0x4c, 0x4a, 0x4e, 0x49, 0xe5, 0x02, 0x00,
        0x9c, 0x14, 0x8a, 0x0f, 0x06, 0x00, 0x00, 0x00,
    ]

    /// A redirect that doesn't say where to.
    public static let redirectWithoutLocation = Route.text("somewhere\n", status: "302 Found")
}
