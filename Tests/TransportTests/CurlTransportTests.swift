#if Curl
import Synchronization
import Testing
import WhirlCore
import WhirlLoopback

@testable import WhirlCurl

@Suite("curl: the loop", .timeLimit(.minutes(1))) struct CurlTransportTests {
    @Test("an exchange started from the main actor calls back on the loop's thread")
    @MainActor func mainActor() async throws {
        let server = try LoopbackServer(.bytes(100_000))
        defer { server.stop() }
        let transport = CurlTransport()
        let listener = Listener()
        _ = transport.start(ExchangeRequest(url: server.url()), listener)
        let account = await listener.account.until(\.isOver)
        #expect(account.received == 100_000 && account.outcome?.result == .finished)
    }

    @Test(
        "Accept is sent as often as it is given, and not when it is not",
        arguments: [["*/*"], ["*/*", "text/html"], ["text/html", "*/*"], ["text/html"], ["*/*", "*/*"]])
    func accept(_ values: [String]) async throws {
        let server = try LoopbackServer(.text("x"))
        defer { server.stop() }
        let fields = values.map { HTTPField("Accept", $0) }
        _ = await Self.perform(ExchangeRequest(url: server.url(), fields: fields))
        let request = try #require(server.record.requests.first)
        #expect(request.fields.filter { $0.name.lowercased() == "accept" }.map(\.value) == values)
    }

    @Test(
        "a request that makes no sense is refused in one sentence",
        arguments: [
            ("GET", "http://h/a b", "", "the URL has a space or a control character; write it as %20 or the like"),
            ("GET", "ftp://h/a", "", "the URL is of another kind; only http and https are fetched"),
            ("G T", "http://h/a", "", "the method is not a word; write it as GET"),
            ("GET", "http://h/a", "x\r\ny", "a header has a character that may not be in it; leave it out"),
        ])
    func complaints(_ method: String, _ url: String, _ value: String, _ sentence: String) async {
        let request = ExchangeRequest(method: method, url: url, fields: [HTTPField("a", value)])
        #expect(await Self.perform(request).failure?.message == sentence)
    }

    @Test(
        "an answer that is none is told in one sentence",
        arguments: [
            ("HTTP/1.1 200 OK\r\nX: 1\r\n", "the connection was lost within the header block"),
            (
                "HTTP/1.1 101 Switching\r\nUpgrade: x\r\n\r\n",
                "the server switched to another protocol (101)"
            ),
            (
                "HTTP/1.1 200 OK\r\n" + String(repeating: "X: \(String(repeating: "y", count: 990))\r\n", count: 320)
                    + "\r\n", "the header block is larger than 300 KiB"
            ),
        ])
    func answers(_ text: String, _ sentence: String) async throws {
        let server = try LoopbackServer(.raw(text))
        defer { server.stop() }
        #expect(await Self.perform(ExchangeRequest(url: server.url())).failure?.message == sentence)
    }

    /// What came of a request over a transport of its own.
    private static func perform(_ request: ExchangeRequest) async -> Listener.Account {
        let listener = Listener()
        let transport = CurlTransport()
        _ = transport.start(request, listener)
        let account = await listener.account.until(\.isOver)
        withExtendedLifetime(transport) {}
        return account
    }

    @Test("100,000 commands from 4 threads: none is lost, no byte is changed")
    func commandStorm() async throws {
        let server = try LoopbackServer(.bytes(30_000_000))
        defer { server.stop() }
        let transport = CurlTransport()
        let listener = Listener()
        let exchange = transport.start(ExchangeRequest(url: server.url()), listener)
        await withTaskGroup { group in
            for _ in 0..<4 {
                group.addTask {
                    for step in 0..<25_000 {
                        if step % 2 == 0 { exchange.pause() } else { exchange.unpause() }
                    }
                }
            }
        }
        exchange.unpause()
        let account = await listener.account.until(\.isOver)
        #expect(account.received == 30_000_000 && account.isExact && account.outcome?.result == .finished)
    }

    @Test("40,000 cancels from 4 threads are heard, each once")
    func cancelStorm() async throws {
        let server = try LoopbackServer(.silent)
        defer { server.stop() }
        let transport = CurlTransport()
        let listeners = (0..<200).map { _ in Listener() }
        let exchanges = listeners.map { transport.start(ExchangeRequest(url: server.url()), $0) }
        await withTaskGroup { group in
            for _ in 0..<4 {
                group.addTask { for _ in 0..<50 { for exchange in exchanges { exchange.cancel() } } }
            }
        }
        for listener in listeners {
            let account = await listener.account.until(\.isOver)
            #expect(account.outcome?.result == .cancelled && account.ends == 1)
        }
    }

    @Test("a loop with nothing to do sleeps: while a server thinks, while paused, while idle")
    func sleeps() async throws {
        let server = try LoopbackServer([
            "/": .script([.head("200 OK", ["Content-Length: 0"])]), "/big": .bytes(1 << 40),
            "/slow": .script([.pause(milliseconds: 700), .head("200 OK", ["Content-Length: 0"])]),
        ])
        defer { server.stop() }
        let transport = CurlTransport()
        let paused = Listener()
        let held = transport.start(ExchangeRequest(url: server.url("/big")), paused)
        await paused.account.until { $0.received > 0 }
        held.pause()
        let first = Listener()
        _ = transport.start(ExchangeRequest(url: server.url()), first)
        await first.account.until(\.isOver)
        let before = transport.loops[0].turns.load(ordering: .relaxed)
        let slow = Listener()
        _ = transport.start(ExchangeRequest(url: server.url("/slow")), slow)
        await slow.account.until(\.isOver)
        let turns = transport.loops[0].turns.load(ordering: .relaxed) - before
        #expect(turns < 50)
        held.cancel()
        await paused.account.until(\.isOver)
    }

    @Test("repeated fields stay apart, and an empty value is sent")
    func fields() async throws {
        let server = try LoopbackServer(.bytes(1, fields: ["Set-Cookie: a=1", "Set-Cookie: b=2"]))
        defer { server.stop() }
        let transport = CurlTransport()
        let listener = Listener()
        let fields = [HTTPField("X-Empty", ""), HTTPField("X-Full", "ü")]
        _ = transport.start(ExchangeRequest(url: server.url(), fields: fields), listener)
        let account = await listener.account.until(\.isOver)
        #expect(account.head?.values("set-cookie") == ["a=1", "b=2"])
        #expect(server.record.requests[0]["X-Empty"] == "" && server.record.requests[0]["X-Full"] == "ü")
    }

    @Test("a discarded body over 256 KiB is not worth its connection", arguments: [200 << 10, 300 << 10])
    func discard(_ size: Int64) async throws {
        let server = try LoopbackServer(.bytes(size))
        defer { server.stop() }
        let transport = CurlTransport()
        for _ in 0..<2 {
            let listener = Listener(verdict: .discard)
            _ = transport.start(ExchangeRequest(url: server.url()), listener)
            let account = await listener.account.until(\.isOver)
            #expect(account.outcome?.result == .finished && account.received == 0)
        }
        #expect(server.record.connections == (size < 256 << 10 ? 1 : 2))
    }

    @Test("an error has libcurl's number and words, but nothing of the URL's query")
    func errors() async throws {
        let server = try LoopbackServer(.short(10, of: 20))
        defer { server.stop() }
        let transport = CurlTransport()
        let listener = Listener()
        _ = transport.start(ExchangeRequest(url: server.url("/?token=secret")), listener)
        let account = await listener.account.until(\.isOver)
        guard case .failed(let error) = account.outcome?.result else {
            Issue.record("it did not fail")
            return
        }
        #expect(error.code == .truncated && error.native == 18 && error.status == 200 && error.transport == "curl")
        #expect(!error.message.contains("secret") && error.message.contains("10 bytes remaining"))
    }

    @Test(
        "an answer in another protocol is refused, whatever follows it",
        arguments: ["", "hello", "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"])
    func switching(_ rest: String) async throws {
        let head = "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n"
        let server = try LoopbackServer(.raw(head + rest))
        defer { server.stop() }
        let transport = CurlTransport()
        let listener = Listener()
        _ = transport.start(ExchangeRequest(url: server.url()), listener)
        let account = await listener.account.until(\.isOver)
        guard case .failed(let error) = account.outcome?.result else {
            Issue.record("it did not fail")
            return
        }
        #expect(error.code == .malformed && error.status == nil && account.received == 0 && account.head == nil)
    }

    @Test("an IPv6 origin is reached")
    func ipv6() async throws {
        guard let server = try? LoopbackServer(.bytes(1000), ipv6: true) else {
            try Test.cancel("no IPv6 on the loopback interface")
        }
        defer { server.stop() }
        let transport = CurlTransport()
        let listener = Listener()
        _ = transport.start(ExchangeRequest(url: server.url()), listener)
        #expect(await listener.account.until(\.isOver).received == 1000)
    }

    @Test("the plugin tells its versions and trusts the file that the environment names")
    func plugin() async throws {
        #expect(TransportPlugin.curl.versions()["libcurl"] != nil && TransportPlugin.curl.versions()["tls"] != nil)
        let transport = try TransportPlugin.curl.make(PluginContext(environment: ["SSL_CERT_FILE": "/x.pem"]))
        #expect((transport as? CurlTransport)?.loops.first?.configuration.certificateFile == "/x.pem")
    }
}

/// A handler that takes all and counts.
private final class Listener: ExchangeHandler {
    struct Account: Sendable {
        var head: ResponseHead?
        var received: Int64 = 0
        var isExact = true
        var outcome: ExchangeOutcome?
        var ends = 0
        var isOver: Bool { ends > 0 }
        /// Why it failed; nil when it did not.
        var failure: TransferError? {
            if case .failed(let error)? = outcome?.result { error } else { nil }
        }
    }

    let account = Watched(Account())
    private let verdict: HeadVerdict

    init(verdict: HeadVerdict = .accept) { self.verdict = verdict }

    func head(_ head: ResponseHead) -> HeadVerdict {
        account.change { $0.head = head }
        return verdict
    }

    func body(_ bytes: borrowing RawSpan) -> BodyVerdict {
        let isRight = BodyPattern().matches(bytes, at: account.value.received)
        let count = Int64(bytes.byteCount)
        account.change { account in
            account.isExact = account.isExact && isRight
            account.received += count
        }
        return .more
    }

    func end(_ outcome: ExchangeOutcome) {
        account.change { account in
            account.outcome = outcome
            account.ends += 1
        }
    }
}
#endif
