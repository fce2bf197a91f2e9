import Glibc
import Testing
import WhirlCore
import WhirlLoopback

#if Curl
import WhirlCurl
#endif

@Suite("HTTP/2, as nginx sees it", .serialized, .timeLimit(.minutes(2))) struct HTTP2Tests {
    private struct Site {
        let authority: Authority
        let server: Nginx
        let folder: TemporaryFolder

        let size: Int

        init(_ count: Int, of size: Int, keepalive: Int = 100_000) async throws {
            self.size = size
            authority = try await Authority()
            server = try await Nginx(authority, keepalive: keepalive)
            folder = try TemporaryFolder()
            for number in 0..<count { server.folder.write("www/f\(number)", BodyPattern(number).bytes(size)) }
        }

        /// Fetches all at once by a list, trusting the site's authority.
        func run(_ transport: String, _ urls: [String], jobs: Int) async throws -> Program.Result {
            folder.write("list", urls.map { $0 + "\n" }.joined())
            let words = ["-t", transport, "-f", "log", "-j", "\(jobs)", "--durability", "none", "-i", "list"]
            guard transport == "urlsession" else {
                return try await Program.run(
                    Program.whirl, words + ["--cacert", authority.anchor], folder: folder.path)
            }
            // FoundationNetworking trusts the system's bundle alone: this process is given another one in its place.
            let script = "mount --bind \"$1\" /etc/ssl/certs/ca-certificates.crt && shift && exec \"$@\""
            return try await Program.run(
                "unshare", ["--mount", "sh", "-c", script, "sh", authority.anchor, Program.whirl] + words,
                folder: folder.path)
        }

        func wholeFiles(_ count: Int) -> Int {
            (0..<count).count { number in
                folder.read("f\(number)").map { $0.count == size && BodyPattern(number).matches($0) } == true
            }
        }
    }

    private static func skipUnlessPossible(_ transport: String) async throws {
        guard transport == "urlsession", geteuid() != 0 else { return }
        try Test.cancel(
            "only root can give a process another bundle of certificates, and urlsession takes no other way")
    }

    @Test(
        "h2: streams over TLS are answered at the same time, with curl 24 over one connection and 100 over at most four",
        arguments: transports, [(24, 1), (100, 4)])
    func streams(_ transport: String, _ limits: (streams: Int, connections: Int)) async throws {
        try await Self.skipUnlessPossible(transport)
        let count = limits.streams
        let site = try await Site(count, of: 400_000)
        // At most 256 KB a second each: so slow that all are under way before the first is over.
        let urls = (0..<count).map { site.server.secureURL("/slow/f\($0)") }
        let run = try await site.run(transport, urls, jobs: count)
        #expect(run.exit == 0 && site.wholeFiles(count) == count, "\(run.complaintText)")
        let seen = try await site.server.streams(count)
        #expect(seen.count == count && seen.allSatisfy { $0[3] == "200" && $0[4] == "HTTP/2.0" })
        if transport == "curl" { #expect(Set(seen.map { $0[0] }).count <= limits.connections) }
        let ends = seen.compactMap { Double($0[1]) }
        let begins = seen.compactMap { line in Double(line[1]).flatMap { end in Double(line[2]).map { end - $0 } } }
        let (firstEnd, lastBegin) = (try #require(ends.min()), try #require(begins.max()))
        #expect(lastBegin < firstEnd || transport != "curl", "one began at \(lastBegin), one was over at \(firstEnd)")
    }

    @Test("a server that sends GOAWAY after every 100 requests costs no file", arguments: transports)
    func goAway(_ transport: String) async throws {
        try await Self.skipUnlessPossible(transport)
        let site = try await Site(350, of: 4000, keepalive: 100)
        let run = try await site.run(transport, (0..<350).map { site.server.secureURL("/f\($0)") }, jobs: 8)
        #expect(run.exit == 0 && site.wholeFiles(350) == 350, "\(run.complaintText.suffix(2000))")
        let seen = try await site.server.streams(350)
        #expect(Set(seen.filter { $0[3] == "200" || $0[3] == "206" }.map { $0[5] }).count == 350)
        #expect(Set(seen.map { $0[0] }).count >= 4, "nginx ended no connection")
    }
    #if Curl
    @Test("h2: of ten streams on one connection one is cancelled, four are paused again and again: nine are whole")
    func controls() async throws {
        let site = try await Site(10, of: 600_000)
        var configuration = CurlTransport.Configuration()
        configuration.certificateFile = site.authority.anchor
        let transport = CurlTransport(configuration: configuration)
        let collectors = (0..<10).map { _ in Collector() }
        let exchanges = collectors.enumerated().map { number, collector in
            transport.start(ExchangeRequest(url: site.server.secureURL("/slow/f\(number)")), collector)
        }
        for collector in collectors { await collector.answer.until { !$0.body.isEmpty } }
        exchanges[0].cancel()
        while !collectors[1..<5].allSatisfy({ $0.answer.value.result != nil }) {
            for (number, exchange) in exchanges[1..<5].enumerated() {
                exchange.pause()
                exchange.unpause()
                let count = collectors[number + 1].answer.value.body.count
                await collectors[number + 1].answer.until { $0.body.count > count || $0.result != nil }
            }
        }
        for (number, collector) in collectors.enumerated().dropFirst() {
            let answer = await collector.answer.until { $0.result != nil }
            #expect(answer.result == .finished && answer.body.count == 600_000)
            #expect(BodyPattern(number).matches(answer.body))
        }
        #expect(collectors[0].answer.value.result == .cancelled)
        #expect(try await Set(site.server.streams(10).map { $0[0] }).count == 1)
    }
    #endif

    @Test(
        "https where plain HTTP is spoken, and a certificate of nobody known, have their causes", arguments: transports)
    func refusals(_ transport: String) async throws {
        let site = try await Site(1, of: 1000)
        let plain = "https://127.0.0.1:\(site.server.port)/f0"
        for (url, code) in [(plain, "tls"), (site.server.secureURL("/f0"), "certificate")] {
            let words = ["-t", transport, "-f", "jsonl", "--retries", "0", url]
            let run = try await Program.run(Program.whirl, words, folder: site.folder.path)
            #expect(run.exit == 1 && run.outputText.contains("\"code\":\"\(code)\""), "\(run.outputText)")
        }
        #expect(!site.folder.names.contains("f0"))
    }
}
