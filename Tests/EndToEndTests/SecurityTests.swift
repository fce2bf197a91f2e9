#if Curl
import Testing
import WhirlLoopback

@Suite("The command over TLS", .timeLimit(.minutes(2))) struct SecurityTests {
    private struct Site {
        let authority: Authority
        let server: Nginx
        let folder: TemporaryFolder

        init() async throws {
            authority = try await Authority()
            server = try await Nginx(authority)
            folder = try TemporaryFolder()
            for number in 0..<5 { server.folder.write("www/f\(number)", BodyPattern(number).bytes(100_000)) }
        }

        func run(_ words: String...) async throws -> Program.Result {
            try await Program.run(
                Program.whirl, ["-t", "curl", "-f", "log", "--retries", "0"] + words, folder: folder.path)
        }

        func isWhole(_ number: Int) -> Bool {
            let bytes = folder.read("f\(number)") ?? []
            return bytes.count == 100_000 && BodyPattern(number).matches(bytes)
        }
    }

    @Test("--cacert trusts an authority of one's own, over HTTP/2; without it nothing is fetched, exit 1")
    func authority() async throws {
        let site = try await Site()
        let refused = try await site.run(site.server.secureURL("/f0"))
        #expect(refused.exit == 1 && refused.complaintText.contains("certificate"), "\(refused.complaintText)")
        #expect(site.folder.names.isEmpty)
        let urls = (0..<5).map { site.server.secureURL("/f\($0)") }
        let run = try await site.run("--cacert", site.authority.anchor, urls[0], urls[1], urls[2], urls[3], urls[4])
        #expect(run.exit == 0 && (0..<5).allSatisfy(site.isWhole), "\(run.complaintText)")
        let seen = try await site.server.seen(5)
        #expect(seen == (0..<5).map { "/f\($0) HTTP/2.0" })
    }

    @Test("--insecure trusts all, and warns each time")
    func insecure() async throws {
        let site = try await Site()
        let run = try await site.run("--insecure", site.server.secureURL("/f1"))
        #expect(run.exit == 0 && site.isWhole(1))
        #expect(run.complaintText.contains("WARN") && run.complaintText.contains("--insecure"), "\(run.complaintText)")
    }

    @Test("--http1.1 does without HTTP/2")
    func old() async throws {
        let site = try await Site()
        let run = try await site.run(
            "--http1.1", "--cacert", site.authority.anchor, site.server.secureURL("/f1"), site.server.secureURL("/f2"))
        #expect(run.exit == 0 && site.isWhole(1) && site.isWhole(2))
        let seen = try await site.server.seen(2)
        #expect(seen == ["/f1 HTTP/1.1", "/f2 HTTP/1.1"])
    }

    @Test("--resolve knows a host's address; the certificate must still be its own")
    func resolve() async throws {
        let site = try await Site()
        let port = site.server.securePort
        let run = try await site.run(
            "--cacert", site.authority.anchor, "--resolve", "a.test:\(port):127.0.0.1",
            site.server.secureURL("/f3", host: "a.test"))
        #expect(run.exit == 0 && site.isWhole(3), "\(run.complaintText)")
        let other = try await site.run(
            "--cacert", site.authority.anchor, "--resolve", "b.test:\(port):127.0.0.1",
            site.server.secureURL("/f4", host: "b.test"))
        #expect(other.exit == 1 && other.complaintText.contains("certificate"), "\(other.complaintText)")
    }

    @Test(
        "values that make no sense are refused by a sentence, exit 2",
        arguments: [
            (["--cacert", "/proc/none/ca.pem"], "the certificates in /proc/none/ca.pem can't be read"),
            (["--resolve", "a.test:443"], "HOST:PORT:ADDRESS"),
            (["--resolve", "a.test:443:elsewhere"], "after a.test:443: must come an IPv4 or IPv6 address"),
        ])
    func refused(_ words: [String], _ sentence: String) async throws {
        let run = try await Program.run(Program.whirl, words + ["http://127.0.0.1:9/"])
        #expect(run.exit == 2 && run.complaintText.contains(sentence), "\(run.complaintText)")
    }
}
#endif
