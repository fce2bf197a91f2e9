#if Curl
import Testing
import WhirlCore
import WhirlCurl
import WhirlLoopback

@Suite("The loopback server", .timeLimit(.minutes(1))) struct LoopbackServerTests {
    private static let file = ServedFile(size: 1000, etag: "\"v1\"", lastModified: "Mon, 01 Jan 2024 00:00:00 GMT")

    @Test(
        "a file is served whole or in part, by Range and If-Range",
        arguments: [
            (nil, nil, 200, 0..<1000), ("bytes=0-", nil, 206, 0..<1000), ("bytes=10-19", nil, 206, 10..<20),
            ("bytes=990-5000", nil, 206, 990..<1000), ("bytes=-5", nil, 206, 995..<1000),
            ("bytes=1000-", nil, 416, 0..<0), ("bytes=5-1", nil, 200, 0..<1000), ("bytes=0-1,5-6", nil, 200, 0..<1000),
            ("bytes=10-", "\"v1\"", 206, 10..<1000), ("bytes=10-", "\"v2\"", 200, 0..<1000),
            ("bytes=10-", "W/\"v1\"", 200, 0..<1000),
            ("bytes=10-", "Mon, 01 Jan 2024 00:00:00 GMT", 206, 10..<1000),
            ("bytes=10-", "Tue, 02 Jan 2024 00:00:00 GMT", 200, 0..<1000),
        ] as [(String?, String?, Int, Range<Int64>)])
    func ranges(_ range: String?, _ condition: String?, _ status: Int, _ wanted: Range<Int64>) async throws {
        let server = try LoopbackServer(.file(Self.file))
        defer { server.stop() }
        let fields =
            [range.map { HTTPField("Range", $0) }, condition.map { HTTPField("If-Range", $0) }].compactMap(\.self)
        let (head, body) = await fetch(ExchangeRequest(url: server.url(), fields: fields))
        #expect(head?.status == status && head?["ETag"] == "\"v1\"")
        switch status {
        case 206:
            #expect(head?["Content-Range"] == "bytes \(wanted.lowerBound)-\(wanted.upperBound - 1)/1000")
            #expect(body == BodyPattern().bytes(wanted))
        case 416: #expect(head?["Content-Range"] == "bytes */1000")
        default: #expect(body == BodyPattern().bytes(wanted))
        }
    }

    @Test("the record tells who came, on which connection, and what was sent")
    func record() async throws {
        let server = try LoopbackServer(["/a": .bytes(500, framing: .chunked)])
        defer { server.stop() }
        _ = await fetch(ExchangeRequest(url: server.url("/a?x=1"), fields: [HTTPField("X-Who", "me")]))
        let record = await server.until { $0.requests.first?.isAnswered == true && $0.openConnections == 0 }
        let request = try #require(record.requests.first)
        #expect(
            request.method == "GET" && request.target == "/a?x=1" && request.path == "/a" && request["x-who"] == "me")
        #expect(request.bodySent == 500 && !request.clientLeft && request.connection == 0 && record.connections == 1)
    }

    @Test("bytes follow from seed and offset alone")
    func pattern() {
        let pattern = BodyPattern(7)
        let whole = pattern.bytes(3_000_000)
        #expect(pattern.matches(whole) && !BodyPattern(8).matches(whole))
        #expect(pattern.bytes(1_048_000..<1_049_000) == Array(whole[1_048_000..<1_049_000]))
        #expect(pattern.matches(Array(whole[1_048_572...]), at: 1_048_572))
        #expect(!pattern.matches(Array(whole[1...]), at: 0))
    }

    @Test("a paced body takes its time")
    func pace() async throws {
        let server = try LoopbackServer(.bytes(20_000, pace: .rate(100_000)))
        defer { server.stop() }
        let began = ContinuousClock.now
        let (_, body) = await fetch(ExchangeRequest(url: server.url()))
        #expect(body.count == 20_000 && ContinuousClock.now - began > .milliseconds(150))
    }

    @Test("stop ends every connection, whatever its script waits for")
    func stop() async throws {
        let server = try LoopbackServer(["/hold": .silent, "/gate": .script([.wait(Gate())])])
        let transport = CurlTransport()
        let handlers = ["/hold", "/gate"].map { path in
            let handler = Collector()
            _ = transport.start(ExchangeRequest(url: server.url(path)), handler)
            return handler
        }
        await server.until { $0.answering == 2 }
        server.stop()
        for handler in handlers { #expect(await handler.state.until(\.isOver).head == nil) }
        #expect(server.record.openConnections == 0)
    }

    private func fetch(_ request: ExchangeRequest) async -> (ResponseHead?, [UInt8]) {
        let transport = CurlTransport()
        let collector = Collector()
        _ = transport.start(request, collector)
        let state = await collector.state.until(\.isOver)
        return (state.head, state.body)
    }
}

/// A handler that keeps what it is given.
private final class Collector: ExchangeHandler {
    struct State: Sendable {
        var head: ResponseHead?
        var body: [UInt8] = []
        var isOver = false
    }

    let state = Watched(State())

    func head(_ head: ResponseHead) -> HeadVerdict {
        state.change { $0.head = head }
        return .accept
    }

    func body(_ bytes: borrowing RawSpan) -> BodyVerdict {
        let piece = unsafe bytes.withUnsafeBytes { unsafe Array($0) }
        state.change { $0.body += piece }
        return .more
    }

    func end(_ outcome: ExchangeOutcome) { state.change { $0.isOver = true } }
}
#endif
