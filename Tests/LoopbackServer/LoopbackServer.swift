/// A scripted HTTP/1.1 origin on a free port of the loopback interface, for what real servers refuse to do.
///
/// - Each connection has a thread of its own and is kept alive unless its script or the client ends it.
/// - Everything that is seen and sent is written down; tests judge by that record.
/// - Releasing it stops it.
public final class LoopbackServer: Sendable {
    /// The TCP port.
    public let port: UInt16
    /// `http://127.0.0.1:PORT`, or the same with `[::1]`.
    public let origin: String
    private let acceptor: Acceptor

    /// Serves what `handler` chooses for each request; it is called on the connection's thread.
    public init(ipv6: Bool = false, handler: @escaping @Sendable (ReceivedRequest) -> Route) throws {
        let (listener, port) = try Socket.listening(ipv6: ipv6)
        self.port = port
        origin = "http://\(ipv6 ? "[::1]" : "127.0.0.1"):\(port)"
        acceptor = Acceptor(listener, route: handler)
        try acceptor.start()
    }

    /// Serves `routes` by path without query, and 404 for any other.
    public convenience init(_ routes: [String: Route], ipv6: Bool = false) throws {
        try self.init(ipv6: ipv6) { routes[$0.path] ?? .notFound }
    }

    /// Serves one route on every path.
    public convenience init(_ route: Route, ipv6: Bool = false) throws {
        try self.init(ipv6: ipv6) { _ in route }
    }

    deinit { stop() }

    /// The URL of a target, which begins with a slash.
    public func url(_ target: String = "/") -> String { origin + target }

    /// What was seen and done so far.
    public var record: ServerRecord { acceptor.ledger.value }

    /// Returns the record as soon as it meets `condition`, or as it is when the waiting task is cancelled.
    ///
    /// `condition` is called under a lock, on the server's threads: it may only look at the record.
    @discardableResult
    public func until(_ condition: @escaping @Sendable (ServerRecord) -> Bool) async -> ServerRecord {
        await acceptor.ledger.until(condition)
    }

    /// Closes everything and returns when every thread has ended.
    ///
    /// Not from a handler. Idempotent.
    public func stop() { acceptor.stop() }
}
