import Glibc
import WhirlCore
import WhirlLoopback

/// The ways to a server.
extension TransportPromises {
    static let routes: [TransportPromise] = [
        TransportPromise("ipv6", "an IPv6 address in a URL is fetched from, or refused as unsupported") { subject in
            guard let server = try? LoopbackServer(.bytes(1000), ipv6: true) else {
                throw PromiseNotJudged("no IPv6 on the loopback interface")
            }
            defer { server.stop() }
            let witness = Witness()
            let transport = try subject.make()
            _ = transport.get(server.url(), witness)
            let outcome = try await witness.end().outcomes[0]
            try expect(
                outcome.result == .finished || outcome.code == .unsupported, "the end: \(outcome.result)")
            try expectEqual(server.record.requests.count, outcome.result == .finished ? 1 : 0, "requests")
        },
        TransportPromise("hosts", "30 origins at once are each asked for their own") { subject in
            let servers = try (0..<30).map { try LoopbackServer(.bytes(1000, seed: $0)) }
            defer { for server in servers { server.stop() } }
            let transport = try subject.make()
            for _ in 0..<3 {
                let witnesses = servers.indices.map { _ in Witness() }
                for (server, witness) in zip(servers, witnesses) { _ = transport.get(server.url(), witness) }
                for witness in witnesses { try await witness.end(.finished) }
            }
            try expectEqual(servers.map(\.record.requests.count), servers.map { _ in 3 }, "requests")
            try expect(
                servers.allSatisfy { server in
                    server.record.requests.allSatisfy { $0["Host"] == "127.0.0.1:\(server.port)" }
                }, "a request went to another's server")
        },
        TransportPromise(
            "proxy", "the environment's http_proxy is asked, but for hosts of no_proxy", isProcessWide: true
        ) {
            subject in
            let proxy = try LoopbackServer { _ in .bytes(1000) }
            let direct = try LoopbackServer(.bytes(1000))
            defer {
                proxy.stop()
                direct.stop()
            }
            unsafe setenv("http_proxy", proxy.origin, 1)
            unsafe setenv("no_proxy", "127.0.0.1", 1)
            defer { for name in ["http_proxy", "no_proxy"] { unsafe unsetenv(name) } }
            let transport = try subject.make()
            for url in ["http://whirl.invalid/a?b", direct.url("/c")] {
                let witness = Witness()
                _ = transport.get(url, witness)
                try await witness.end(.finished)
            }
            try expectEqual(
                proxy.record.requests.map(\.target), ["http://whirl.invalid/a?b"], "what the proxy was asked")
            try expectEqual(direct.record.requests.map(\.target), ["/c"], "what the server was asked")
        },
    ]
}
