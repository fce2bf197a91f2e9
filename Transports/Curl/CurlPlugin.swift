#if Curl
public import WhirlCore

extension TransportPlugin {
    /// The transport `curl`.
    public static let curl = TransportPlugin(
        name: "curl", summary: "libcurl on a thread of its own: the fastest, with true pause",
        capabilities: CurlVersion.capabilities, versions: { CurlVersion.versions }
    ) { context in
        var configuration = CurlTransport.Configuration()
        // The variables the command `curl` reads.
        configuration.certificateFile = ["CURL_CA_BUNDLE", "SSL_CERT_FILE"].lazy
            .compactMap { context.environment[$0] }.first { !$0.isEmpty }
        return CurlTransport(configuration: configuration)
    }
}
#endif
