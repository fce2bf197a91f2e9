#if Curl
public import WhirlCore

/// Exchanges over libcurl's multi interface, all on one thread of its own.
///
/// - The thread starts with the first exchange and does not keep the process alive.
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

    let loop: CurlLoop

    /// A transport; no thread runs and no descriptor is open until the first exchange.
    public init(configuration: Configuration = Configuration()) {
        // Here already, as whoever computes digests may wake OpenSSL before the first exchange.
        _ = CurlVersion.keepsTLSUntilExit
        loop = CurlLoop(configuration)
    }

    deinit { loop.close() }

    /// True pause on the same connection, bodies as sent, and HTTP/2 where libcurl has it.
    public var capabilities: Capabilities { CurlVersion.capabilities }

    /// Begins an exchange; see `Transport`.
    public func start(_ request: ExchangeRequest, _ handler: any ExchangeHandler) -> any Exchange {
        let exchange = CurlExchange(request, handler, loop)
        loop.post(.start(exchange))
        return exchange
    }
}
#endif
