#if Curl
import Testing
import WhirlLoopback

@Suite("The command through a proxy", .timeLimit(.minutes(2))) struct ProxyTests {
    private static func run(
        _ words: String..., environment: [String: String] = [:], in folder: TemporaryFolder
    ) async throws -> Program.Result {
        try await Program.run(
            Program.whirl, ["-t", "curl", "-f", "log", "-v", "--retries", "0"] + words, environment: environment,
            folder: folder.path)
    }

    @Test("fetches http and https, with --proxy or the environment's")
    func both() async throws {
        let authority = try await Authority()
        let (server, proxy) = (try await Nginx(authority), try await Tinyproxy())
        server.folder.write("www/a", BodyPattern(1).bytes(100_000))
        for environment in [[:], ["http_proxy": proxy.url(), "https_proxy": proxy.url()]] {
            let folder = try TemporaryFolder()
            let option = environment.isEmpty ? ["--proxy", proxy.url()] : []
            let words = ["-t", "curl", "-f", "log", "--cacert", authority.anchor] + option
            for (number, url) in [server.url("/a"), server.secureURL("/a")].enumerated() {
                let run = try await Program.run(
                    Program.whirl, words + ["-o", "\(number)", url], environment: environment,
                    folder: folder.path)
                #expect(run.exit == 0 && folder.read("\(number)")?.count == 100_000, "\(run.complaintText)")
            }
        }
        #expect(proxy.log.contains("GET http://127.0.0.1:\(server.port)/a"))
        #expect(proxy.log.contains("CONNECT 127.0.0.1:\(server.securePort)"))
    }

    @Test("shows credentials to the proxy alone: neither the server nor anybody else sees them")
    func credentials() async throws {
        let proxy = try await Tinyproxy(user: "me", password: "canary")
        let server = try LoopbackServer(.bytes(1000))
        defer { server.stop() }
        let folder = try TemporaryFolder()
        let run = try await Self.run("--proxy", proxy.url("me:canary@"), server.url("/a"), in: folder)
        #expect(run.exit == 0 && folder.read("a")?.count == 1000, "\(run.complaintText)")
        #expect(!run.complaintText.contains("canary"))
        let request = try #require(server.record.requests.first)
        #expect(request["Via"]?.contains("tinyproxy") == true && request["Proxy-Authorization"] == nil)
        #expect(request["Authorization"] == nil)
    }

    @Test("says that the proxy refuses, once and without the password", arguments: ["http", "https"])
    func refused(_ scheme: String) async throws {
        let proxy = try await Tinyproxy(user: "me", password: "right")
        let folder = try TemporaryFolder()
        let run = try await Self.run(
            "--proxy", proxy.url("me:canary@"), "\(scheme)://127.0.0.1:9/a", in: folder)
        #expect(run.exit == 1 && run.complaintText.contains("401"), "\(run.complaintText)")
        #expect(!run.complaintText.contains("canary"))
    }

    @Test(
        "never shows the password of a proxy that can't be",
        arguments: [
            ("http://me:canary@127.0.0.1:1", 1), ("http://me:canary@nowhere.invalid:80", 1), ("me:canary@127.0.0.1", 2),
            ("ftp://me:canary@127.0.0.1:21", 2), ("http://me:canary@127.0.0.1:99999", 2), ("http://me:canary@:80/x", 2),
            ("http://me:canary@127.0.0.1:1/path", 2), ("http://me:can ary@127.0.0.1:1", 2),
        ] as [(String, Int32)])
    func impossible(_ proxy: String, _ exit: Int32) async throws {
        let folder = try TemporaryFolder()
        let run = try await Self.run("--proxy", proxy, "http://127.0.0.1:9/a", in: folder)
        #expect(run.exit == exit && !run.complaintText.isEmpty, "\(run.complaintText)")
        #expect(!run.complaintText.contains("canary") && !run.complaintText.contains("can ary"))
    }

    @Test(
        "never shows the password of one that the environment names", arguments: ["bad scheme://", "ftp://", "http://"])
    func environment(_ scheme: String) async throws {
        let folder = try TemporaryFolder()
        let run = try await Self.run(
            "http://127.0.0.1:9/a", environment: ["http_proxy": "\(scheme)me:canary@127.0.0.1:x"], in: folder)
        #expect(run.exit == 1 && !run.complaintText.contains("canary"), "\(run.complaintText)")
    }

    #if URLSession
    @Test(
        "is refused on urlsession, as is all that it can't do, with nothing started",
        arguments: [
            ["--proxy", "http://me:canary@127.0.0.1:1"], ["--cacert", "ca.pem"], ["--insecure"], ["--http1.1"],
            ["--resolve", "a:1:127.0.0.1"], ["--limit-rate", "1M"], ["--limit-rate-per-task", "1M"],
        ])
    func unsupported(_ words: [String]) async throws {
        let folder = try TemporaryFolder()
        let run = try await Program.run(
            Program.whirl, ["-t", "urlsession"] + words + ["http://127.0.0.1:9/a"], folder: folder.path)
        let sentence = "whirl: \(words[0]) needs a transport that can set it; curl can, urlsession can't\n"
        #expect(run.exit == 2 && run.complaintText == sentence && folder.names.isEmpty)
    }
    #endif
}
#endif
