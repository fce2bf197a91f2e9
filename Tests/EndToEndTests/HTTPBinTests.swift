import Testing
import WhirlCore
import WhirlLoopback

#if Curl
import WhirlCurl
#endif
#if URLSession
import WhirlURLSession
#endif

/// A transport of that name.
private func transport(_ name: String) throws -> any Transport {
    #if Curl
    if name == "curl" { return CurlTransport() }
    #endif
    #if URLSession
    if name == "urlsession" { return URLSessionTransport() }
    #endif
    throw Program.Fault(text: "no transport \(name)")
}

@Suite("What httpbin saw", .timeLimit(.minutes(2))) struct HTTPBinTests {
    private static func perform(
        _ name: String, _ request: ExchangeRequest
    ) async throws -> (head: ResponseHead?, body: [UInt8]) {
        let (transport, collector) = (try transport(name), Collector())
        _ = transport.start(request, collector)
        let answer = await collector.answer.until { $0.result != nil }
        #expect(answer.result == .finished)
        withExtendedLifetime(transport) {}
        return (answer.head, answer.body)
    }

    @Test("methods arrive as given, and their answers come back", arguments: transports)
    func methods(_ name: String) async throws {
        let server = try await HTTPBin()
        let methods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]
        for method in methods {
            let (head, body) = try await Self.perform(
                name, ExchangeRequest(method: method, url: server.url("/anything")))
            #expect(head?.status == 200)
            let text = String(decoding: body, as: UTF8.self)
            let isBodiless = method == "HEAD" || method == "OPTIONS"
            #expect(isBodiless ? body.isEmpty : text.contains("\"method\":\"\(method)\""), "\(method): \(text)")
        }
        // It writes a line when it has answered, by when the next request may have come.
        #expect(try await server.seen(methods.count).sorted() == methods.map { "\($0) 200 /anything" }.sorted())
    }

    @Test("ranges are those asked for", arguments: transports)
    func ranges(_ name: String) async throws {
        let server = try await HTTPBin()
        let whole = (0..<100_000).map { UInt8(0x61 + $0 % 26) }
        for (range, part) in [
            ("bytes=0-9", 0..<10), ("bytes=50000-", 50_000..<100_000), ("bytes=-5", 99_995..<100_000),
        ] {
            let request = ExchangeRequest(url: server.url("/range/100000"), fields: [HTTPField("Range", range)])
            let (head, body) = try await Self.perform(name, request)
            #expect(head?.status == 206 && body == Array(whole[part]), "\(range)")
            #expect(head?["Content-Range"] == "bytes \(part.lowerBound)-\(part.upperBound - 1)/100000")
        }
        #expect(try await server.seen(3) == Array(repeating: "GET 206 /range/100000", count: 3))
    }

    @Test("redirects of every kind are followed to their end, one request each", arguments: transports)
    func redirects(_ name: String) async throws {
        let server = try await HTTPBin()
        let folder = try TemporaryFolder()
        for (number, path) in ["/redirect/3", "/absolute-redirect/2", "/redirect-to?url=/get&status_code=308"]
            .enumerated()
        {
            let run = try await Program.run(
                Program.whirl, ["-t", name, "-f", "log", "-o", "\(number)", server.url(path)], folder: folder.path)
            #expect(run.exit == 0, "\(run.complaintText)")
            #expect(String(decoding: folder.read("\(number)") ?? [], as: UTF8.self).contains("/get\""))
        }
        let seen = try await server.seen(9)
        #expect(seen.count == 9 && seen.count { $0 == "GET 200 /get" } == 3)
    }

    @Test("streams of chunks arrive whole", arguments: transports)
    func streams(_ name: String) async throws {
        let server = try await HTTPBin()
        let folder = try TemporaryFolder()
        // The same seed gives the same bytes, whatever the size of a chunk.
        for size in [1000, 7777] {
            let url = server.url("/stream-bytes/100000?seed=7&chunk_size=\(size)")
            let run = try await Program.run(
                Program.whirl, ["-t", name, "-f", "log", "-o", "\(size)", url], folder: folder.path)
            #expect(run.exit == 0, "\(run.complaintText)")
        }
        #expect(folder.read("1000")?.count == 100_000 && folder.read("1000") == folder.read("7777"))
        #expect(try await server.seen(2) == Array(repeating: "GET 200 /stream-bytes/100000", count: 2))
    }
}
