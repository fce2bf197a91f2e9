import WhirlCore
import WhirlLoopback

/// What must hold of every transport.
public enum TransportPromises {
    /// All of them.
    ///
    /// Ids and sentences stay; new ones are added.
    public static let all: [Promise<TransportSubject>] =
        bodies + calls + heads + verdicts + holds + cancels + storms + connections + routes + resources + faults

    typealias TransportPromise = Promise<TransportSubject>

    /// A server with one route for every path, a transport, and what to do with them; the server is stopped after it.
    static func with(
        _ subject: TransportSubject, _ route: Route, _ body: (any Transport, LoopbackServer) async throws -> Void
    ) async throws {
        try await with(subject, ["/": route], body)
    }

    /// The same with routes by path; `/small` is always there.
    static func with(
        _ subject: TransportSubject, _ routes: [String: Route],
        _ body: (any Transport, LoopbackServer) async throws -> Void
    ) async throws {
        let server = try LoopbackServer(routes.merging(["/small": .bytes(100)]) { $1 })
        defer { server.stop() }
        try await body(try subject.make(), server)
    }

    /// A whole exchange of 100 bytes: when it has ended, the transport has seen to all it was told before it.
    static func passTime(_ transport: any Transport, _ server: LoopbackServer) async throws {
        let witness = Witness()
        _ = transport.start(ExchangeRequest(url: server.url("/small")), witness)
        try await witness.end(.finished)
    }
}

extension Transport {
    /// Starts a GET.
    func get(_ url: String, _ handler: any ExchangeHandler) -> any Exchange {
        start(ExchangeRequest(url: url, fields: [HTTPField("Accept-Encoding", "identity")]), handler)
    }
}
