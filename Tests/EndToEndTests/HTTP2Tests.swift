import Glibc
import Testing
import WhirlLoopback

@Suite("HTTP/2, as nginx sees it", .serialized, .timeLimit(.minutes(2))) struct HTTP2Tests {
    private struct Site {
        let authority: Authority
        let server: Nginx
        let folder: TemporaryFolder

        init(_ count: Int, keepalive: Int = 100_000) async throws {
            authority = try await Authority()
            server = try await Nginx(authority, keepalive: keepalive)
            folder = try TemporaryFolder()
            for number in 0..<count { server.folder.write("www/f\(number)", BodyPattern(number).bytes(40_000)) }
        }

        /// Fetches all at once by a list, trusting the site's authority.
        func run(_ transport: String, _ urls: [String]) async throws -> Program.Result {
            folder.write("list", urls.map { $0 + "\n" }.joined())
            let words = ["-t", transport, "-f", "log", "-j", "100", "--durability", "none", "-i", "list"]
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
                folder.read("f\(number)").map { $0.count == 40_000 && BodyPattern(number).matches($0) } == true
            }
        }
    }

    private static func skipUnlessPossible(_ transport: String) async throws {
        guard transport == "urlsession", geteuid() != 0 else { return }
        try Test.cancel("only root can give a process another bundle of certificates, and urlsession takes no other way")
    }

    @Test("h2: 100 streams over TLS are answered at the same time, over one connection with curl", arguments: transports)
    func streams(_ transport: String) async throws {
        try await Self.skipUnlessPossible(transport)
        let site = try await Site(100)
        // At most 256 KB a second each: so slow that all are under way before the first is over.
        let urls = (0..<100).map { site.server.secureURL("/slow/f\($0)") }
        let run = try await site.run(transport, urls)
        #expect(run.exit == 0 && site.wholeFiles(100) == 100, "\(run.complaintText)")
        let seen = try await site.server.streams(100)
        #expect(seen.count == 100 && seen.allSatisfy { $0[3] == "200" && $0[4] == "HTTP/2.0" })
        if transport == "curl" { #expect(Set(seen.map { $0[0] }).count == 1) }
        let ends = seen.compactMap { Double($0[1]) }
        let begins = seen.compactMap { line in Double(line[1]).flatMap { end in Double(line[2]).map { end - $0 } } }
        let (firstEnd, lastBegin) = (try #require(ends.min()), try #require(begins.max()))
        #expect(lastBegin < firstEnd || transport != "curl", "one began at \(lastBegin), one was over at \(firstEnd)")
    }

    @Test("a server that sends GOAWAY after every 100 requests costs no file", arguments: transports)
    func goAway(_ transport: String) async throws {
        try await Self.skipUnlessPossible(transport)
        let site = try await Site(1000, keepalive: 100)
        let run = try await site.run(transport, (0..<1000).map { site.server.secureURL("/f\($0)") })
        #expect(run.exit == 0 && site.wholeFiles(1000) == 1000, "\(run.complaintText.suffix(2000))")
        let seen = try await site.server.streams(1000)
        #expect(Set(seen.filter { $0[3] == "200" || $0[3] == "206" }.map { $0[5] }).count == 1000)
        #expect(Set(seen.map { $0[0] }).count >= 10, "nginx ended no connection")
    }
}
