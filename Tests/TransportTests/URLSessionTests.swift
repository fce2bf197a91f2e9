#if URLSession
import Testing
import WhirlCore
import WhirlLoopback
import WhirlURLSession

@Suite("URLSession: what is its own", .timeLimit(.minutes(1)))
struct URLSessionTests {
    let transport = URLSessionTransport()

    /// Performs one exchange and returns what its handler was told.
    private func perform(
        _ server: LoopbackServer, _ target: String = "/", method: String = "GET", fields: [HTTPField] = [],
        recorder: URLSessionRecorder = URLSessionRecorder()
    ) async -> URLSessionRecorder.Record {
        let request = ExchangeRequest(method: method, url: server.url(target), fields: fields)
        let exchange = transport.start(request, recorder)
        let record = await recorder.ended()
        withExtendedLifetime(exchange) {}
        #expect(record.violations == 0)
        #expect(record.ends.count == 1)
        return record
    }

    @Test(
        "a request that makes no sense, or that it can't perform, is refused in one sentence",
        arguments: [
            ("G T", "http://h/a", "", "the method is not a word in capitals; write it as GET"),
            ("GET", "http://h/a b", "", "the URL is none; write it as https://HOST/PATH"),
            ("GET", "ftp://h/a", "", "the URL is of another kind; only http and https are fetched"),
            ("GET", "http:///a", "", "the URL has no host, or a port above 65535; write it as https://HOST:PORT/PATH"),
            ("GET", "http://u@h/a", "", "the URL has userinfo or a fragment; leave it out"),
            ("GET", "http://h/a", "x\r\ny", "a header has a character that may not be in it; leave it out"),
            ("GET", "http://[::1]:9/", "", "urlsession can't fetch from an IPv6 address in a URL; -t curl can"),
        ])
    func refused(_ method: String, _ url: String, _ value: String, _ sentence: String) async {
        let recorder = URLSessionRecorder()
        let request = ExchangeRequest(method: method, url: url, fields: [HTTPField("A", value)])
        let exchange = transport.start(request, recorder)
        let record = await recorder.ended()
        withExtendedLifetime(exchange) {}
        guard case .failed(let error) = record.ends.first else {
            Issue.record("it did not fail")
            return
        }
        #expect(error.message == sentence)
    }

    // MARK: Answers

    static let framings: [Route.Framing] = [.length, .chunked, .close]

    @Test("a body arrives whole and in order, however its end is marked", arguments: framings)
    func framing(framing: Route.Framing) async throws {
        let server = try LoopbackServer(.bytes(3_000_001, framing: framing))
        let record = await perform(server)
        #expect(record.ends == [.finished])
        #expect(record.received == 3_000_001)
        #expect(record.isIntact)
        #expect(record.heads.map(\.status) == [200])
    }

    static let bodiless: [(String, Route, Int)] = [
        ("HEAD", .bytes(1000), 200), ("GET", .bodiless("204 No Content"), 204),
        ("GET", .bodiless("304 Not Modified", fields: ["ETag: \"a\""]), 304), ("GET", .bytes(0), 200),
        ("HEAD", .gzip, 200),
    ]

    @Test("answers without a body finish", arguments: bodiless.indices)
    func withoutBody(index: Int) async throws {
        let (method, route, status) = Self.bodiless[index]
        let record = await perform(try LoopbackServer(route), method: method)
        #expect(record.heads.map(\.status) == [status])
        #expect(record.received == 0)
        #expect(record.ends == [.finished])
    }

    @Test("an error's body is given like any other")
    func errorBody() async throws {
        let record = await perform(try LoopbackServer(.bytes(100_000, status: "503 Service Unavailable")))
        #expect(record.heads.first?.status == 503)
        #expect(record.received == 100_000)
        #expect(record.ends == [.finished])
    }

    @Test("interim responses are not heads")
    func interim() async throws {
        let server = try LoopbackServer(
            .informational(["100 Continue", "103 Early Hints", "103 Early Hints"], then: .bytes(1000)))
        let record = await perform(server)
        #expect(record.heads.map(\.status) == [200])
        #expect(record.heads.first?["Link"] == nil)
        #expect(record.received == 1000)
    }

    @Test(
        "a redirect is the answer, once, and is not followed",
        arguments: ["301 Moved", "302 Found", "303 See Other", "307 Temporary Redirect", "308 Permanent Redirect"],
        ["/b", "b?x=1", "http://127.0.0.1:1/", "https://[::1]/x"])
    func redirect(status: String, location: String) async throws {
        let server = try LoopbackServer(.redirect(status, to: location))
        let record = await perform(server)
        #expect(record.heads.map { "\($0.status)" } == [String(status.prefix(3))])
        #expect(record.heads.first?["location"] == location)
        #expect(record.ends == [.finished])
        #expect(server.record.requests.count == 1)
        #expect(server.record.connections == 1)
    }

    @Test("a redirect that doesn't say where to is an answer all the same", arguments: ["", "Location: \r\n"])
    func redirectWithoutLocation(field: String) async throws {
        let server = try LoopbackServer(
            .raw("HTTP/1.1 302 Found\r\nContent-Length: 5\r\nX-Sign: 1\r\n\(field)\r\nthere"))
        let record = await perform(server)
        #expect(record.heads.map(\.status) == [302])
        #expect(record.heads.first?["X-Sign"] == "1")
        #expect(record.ends == [.finished])
    }

    @Test(
        "a 401 is an answer with its body, whatever the server asks for",
        arguments: [
            "Basic realm=\"x\"", "Basic", "Basic realm=x, Digest realm=\"y\", nonce=\"1\"",
            "Digest realm=\"y\", nonce=\"1\"", "Bearer", "nonsense",
        ])
    func unauthorized(challenge: String) async throws {
        let route = Route.bytes(500, status: "401 Unauthorized", fields: ["WWW-Authenticate: \(challenge)"])
        let server = try LoopbackServer(route)
        let record = await perform(server)
        #expect(record.heads.map(\.status) == [401])
        #expect(record.heads.first?["www-authenticate"] != nil)
        #expect(record.received == 500)
        #expect(record.ends == [.finished])
        #expect(server.record.requests.count == 1)
    }

    @Test("an encoded body is refused with a sentence that names what can keep it, and none of it is given")
    func encoded() async throws {
        let record = await perform(try LoopbackServer(.gzip))
        guard case .failed(let error) = record.ends.first else {
            Issue.record("\(record.ends)")
            return
        }
        #expect(error.code == .unsupported)
        #expect(
            error.message
                == "the server sent the body with Content-Encoding gzip, which urlsession can't keep; -t curl can")
        #expect(!error.isRetryable)
        #expect(record.bodyCalls == 0)
    }

    @Test("an encoded body that nobody wants is no failure")
    func encodedUnwanted() async throws {
        let record = await perform(try LoopbackServer(.gzip), recorder: URLSessionRecorder(onHead: { _ in .discard }))
        #expect(record.ends == [.finished])
        #expect(record.bodyCalls == 0)
    }

    // MARK: Requests

    @Test("method and fields go out as given, with Accept-Encoding: identity where it is missing")
    func request() async throws {
        let server = try LoopbackServer(.text("ok"))
        let fields = [
            HTTPField("Range", "bytes=5-"), HTTPField("X-Empty", ""), HTTPField("If-Range", "\"tag\""),
            HTTPField("User-Agent", "whirl/1"),
        ]
        _ = await perform(server, "/a%20b?q=%2F&r", method: "DELETE", fields: fields)
        let request = try #require(server.record.requests.first)
        #expect(request.method == "DELETE")
        #expect(request.target == "/a%20b?q=%2F&r")
        for field in fields { #expect(request[field.name] == field.value) }
        #expect(request["Accept-Encoding"] == "identity")
        #expect(request["Cookie"] == nil)
    }

    @Test("cookies of one answer are not sent with the next request")
    func cookies() async throws {
        let server = try LoopbackServer(.text("ok", fields: ["Set-Cookie: a=b"]))
        _ = await perform(server)
        _ = await perform(server)
        #expect(server.record.requests.count == 2)
        #expect(server.record.requests.allSatisfy { $0["Cookie"] == nil })
    }

    static let senseless = [
        ExchangeRequest(url: "ftp://127.0.0.1/a"), ExchangeRequest(url: "file:///etc/passwd"),
        ExchangeRequest(url: "127.0.0.1/a"), ExchangeRequest(url: ""), ExchangeRequest(url: "http://"),
        ExchangeRequest(url: "http:///a"), ExchangeRequest(url: "http://127.0.0.1:99999/"),
        ExchangeRequest(url: "http://a:b@127.0.0.1/"), ExchangeRequest(url: "http://127.0.0.1/#a"),
        ExchangeRequest(url: "http://127.0.0.1/a b"), ExchangeRequest(url: "http://127.0.0.1/\r\nX: y"),
        ExchangeRequest(url: "http://[::1/"), ExchangeRequest(method: "", url: "http://127.0.0.1:1/"),
        ExchangeRequest(method: "get", url: "http://127.0.0.1:1/"),
        ExchangeRequest(method: "GET / HTTP/1.1\r\nX:", url: "http://127.0.0.1:1/"),
        ExchangeRequest(url: "http://127.0.0.1:1/", fields: [HTTPField("X", "a\r\nY: b")]),
        ExchangeRequest(url: "http://127.0.0.1:1/", fields: [HTTPField("X Y", "a")]),
        ExchangeRequest(url: "http://127.0.0.1:1/", fields: [HTTPField("", "a")]),
    ]

    @Test("a request that makes no sense is refused before anything is sent", arguments: senseless)
    func refuses(request: ExchangeRequest) async {
        let recorder = URLSessionRecorder()
        _ = transport.start(request, recorder)
        let record = await recorder.ended()
        guard case .failed(let error) = record.ends.first else {
            Issue.record("\(record.ends)")
            return
        }
        #expect(error.code == .usage)
        #expect(error.native == nil)
        #expect(record.ends.count == 1)
    }

    // MARK: Faults on the wire

    static let faults: [(String, Route, TransferError.Code, heads: Int)] = [
        ("closed at once", .closesAtOnce, .reset, 0), ("reset at once", .resetsAtOnce, .reset, 0),
        ("reset after the head", .resets(), .reset, 1), ("short body", .short(10, of: 1000), .truncated, 1),
        ("no last chunk", .chunkedWithoutEnd(1000), .truncated, 1), ("bad chunk size", .badChunkSize, .malformed, 1),
        ("negative length", .contentLength("-5"), .malformed, 0), ("no HTTP", .raw("hello\r\n\r\n"), .malformed, 0),
        ("cut in the head, after a length", .raw("HTTP/1.1 200 OK\r\nContent-Length: 2\r\nX: y\r\n"), .reset, 0),
    ]

    @Test("what goes wrong on the wire has its own code", arguments: faults.indices)
    func fault(index: Int) async throws {
        let (name, route, code, heads) = Self.faults[index]
        let record = await perform(try LoopbackServer(route))
        guard case .failed(let error) = record.ends.first else {
            Issue.record("\(name): \(record.ends)")
            return
        }
        #expect(error.code == code, "\(name): \(error)")
        #expect(error.transport == "urlsession")
        #expect(record.heads.count == heads, "\(name)")
    }

    @Test("a port that nobody listens on is a failure to connect, and an unknown host one to resolve")
    func unreachable() async {
        for (url, code) in [
            ("http://127.0.0.1:1/", TransferError.Code.connect), ("http://nowhere.invalid/", .resolve),
        ] {
            let recorder = URLSessionRecorder()
            _ = transport.start(ExchangeRequest(url: url), recorder)
            guard case .failed(let error) = await recorder.ended().ends.first else {
                Issue.record("\(url) did not fail")
                continue
            }
            #expect(error.code == code)
        }
    }

    @Test("the plugin tells the name, the abilities, and libcurl's version")
    func plugin() throws {
        let plugin = TransportPlugin.urlSession
        #expect(plugin.name == "urlsession")
        #expect(plugin.capabilities == URLSessionTransport().capabilities)
        #expect(plugin.versions()["libcurl"]?.split(separator: ".").allSatisfy { Int($0) != nil } == true)
        #expect(try plugin.make(PluginContext()) is URLSessionTransport)
    }
}
#endif
