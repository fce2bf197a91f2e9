#if URLSession
import Foundation
import FoundationNetworking
public import WhirlCore

/// The transport over FoundationNetworking's `URLSession`.
///
/// - One `URLSession` for its whole life. FoundationNetworking runs all sessions of a process on one serial queue, so a
///   handler that blocks, or that answered `full`, holds up every exchange of the process. Bodies that come faster than
///   they are taken do the same to others: what those wait for grows with every second that all sockets have bytes.
/// - Bodies of redirects reach the handler only when they are complete; those without a usable `Location` not at all.
/// - Releasing it ends the exchanges under way as cancelled.
public final class URLSessionTransport: Transport {
    /// What it can do: HTTP/2 over TLS, and nothing else that is optional.
    public static let capabilities: Capabilities = [.http2]

    private let session: URLSession
    private let delegate: SessionDelegate

    /// A transport with nothing under way.
    public init() {
        let delegate = SessionDelegate()
        self.delegate = delegate
        session = URLSession(
            configuration: Self.configuration, delegate: delegate, delegateQueue: InlineDelegateQueue())
    }

    deinit { delegate.finish(session) }

    /// The same as the static one.
    public var capabilities: Capabilities { Self.capabilities }

    /// Begins an exchange; what FoundationNetworking would trap on or quietly change ends it as `failed` with `usage`.
    public func start(_ request: ExchangeRequest, _ handler: any ExchangeHandler) -> any Exchange {
        let exchange = URLSessionExchange(request, handler)
        do {
            delegate.begin(exchange, try URLRequest(checking: request), in: session)
        } catch {
            exchange.fail(error)
        }
        return exchange
    }

    /// Nothing is kept between exchanges but connections, and nothing is timed: that is the session's business.
    private static var configuration: URLSessionConfiguration {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.urlCache = nil  // With a cache, cancelling traps in FoundationNetworking's task registry.
        configuration.httpCookieStorage = nil
        configuration.httpShouldSetCookies = false
        configuration.urlCredentialStorage = nil
        configuration.timeoutIntervalForRequest = 604_800  // A week; infinity traps.
        configuration.httpMaximumConnectionsPerHost = 256
        return configuration
    }
}
#endif
