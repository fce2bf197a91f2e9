#if Curl
import Glibc
public import WhirlCore

/// Exchanges over libcurl's multi interface, on threads of its own.
///
/// - The first thread starts with the first exchange, another when many are under way at once, up to one for each
///   processor and four in all; none keeps the process alive.
/// - Exchanges that are under way when the transport is released end as cancelled.
/// - Unless one is configured, proxies are taken from the environment by libcurl's own rules.
public final class CurlTransport: Transport {
    /// How to make one.
    public struct Configuration: Sendable {
        /// Certificates to trust, as a PEM file; nil: those libcurl was built with.
        public var certificateFile: String?
        /// Whether a server must prove who it is; without it anyone on the way can read and change what is transferred.
        public var checksCertificates = true
        /// What every exchange goes through, but for the hosts that the variable `no_proxy` names; nil: what the
        /// environment says.
        public var proxy: Proxy?
        /// Whether HTTP/2 is never spoken.
        public var isHTTP1Only = false
        /// Addresses of hosts that name servers are not asked for.
        public var addresses: [Address] = []

        /// The defaults.
        public init() {}
    }

    let loops: [CurlLoop]
    /// So many exchanges are under way on a loop before another one is of use.
    private static let fill = 12
    /// The same where they share a connection: it carries many, and a server should have few of them (RFC 9113, section
    /// 9.1), but what comes on one is decrypted by one processor.
    private static let sharedFill = 24
    /// So many more exchanges a loop may have than another before its own go there.
    private static let preference = 4

    /// A transport; no thread runs and no descriptor is open until the first exchange.
    public init(configuration: Configuration = Configuration()) {
        // Here already, as whoever computes digests may wake OpenSSL before the first exchange.
        _ = CurlVersion.keepsTLSUntilExit
        let count = min(4, max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))))
        loops = (0..<count).map { _ in CurlLoop(configuration) }
    }

    deinit { for loop in loops { loop.close() } }

    /// True pause on the same connection, bodies as sent, and HTTP/2 where libcurl has it.
    public var capabilities: Capabilities { CurlVersion.capabilities }

    /// Begins an exchange; see `Transport`.
    public func start(_ request: ExchangeRequest, _ handler: any ExchangeHandler) -> any Exchange {
        let loop = leastBusy(filled: sharesConnections(request) ? Self.sharedFill : Self.fill)
        let exchange = CurlExchange(request, handler, loop)
        loop.post(.start(exchange))
        return exchange
    }

    /// With HTTP/2 the transfers of a loop share a connection.
    private func sharesConnections(_ request: ExchangeRequest) -> Bool {
        CurlOptions.isSecure(request) && !loops[0].configuration.isHTTP1Only
    }

    /// The loop for the next exchange: that of the caller, who need not be woken, unless another has much less to do.
    private func leastBusy(filled fill: Int) -> CurlLoop {
        var best = loops[0]
        var least = Int.max
        for loop in loops {
            let load = loop.load
            let seeming = loop.isCurrent ? load - Self.preference : load
            if seeming < least { (best, least) = (loop, seeming) }
            // Those after it have no thread yet, or hardly anything to do.
            if load < fill { break }
        }
        return best
    }
}
#endif
