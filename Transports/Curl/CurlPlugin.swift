#if Curl
import Glibc
public import WhirlCore

extension TransportPlugin {
    /// The transport `curl`.
    public static let curl = TransportPlugin(
        name: "curl", summary: "libcurl on a thread of its own: the fastest, with true pause",
        capabilities: CurlVersion.capabilities, keys: ["cacert", "http1.1", "insecure", "proxy", "resolve"],
        versions: { CurlVersion.versions }
    ) { context in
        CurlTransport(configuration: try CurlTransport.Configuration(context))
    }
}

extension CurlTransport.Configuration {
    /// What the settings and the environment say.
    ///
    /// Reads `cacert` (a file), `http1.1` and `insecure` (`true`), `proxy` (a URL) and `resolve` (`HOST:PORT:ADDRESS`, one
    /// a line). Throws `usage` for values that make no sense.
    public init(_ context: PluginContext) throws(TransferError) {
        self.init()
        if let file = context.settings["cacert"] {
            guard unsafe access(file, R_OK) == 0 else {
                let reason = unsafe String(cString: strerror(errno))
                throw TransferError(
                    .usage, "the certificates in \(file) can't be read: \(reason); look whether --cacert is right")
            }
            certificateFile = file
        } else {
            // The variables the command `curl` reads.
            certificateFile = ["CURL_CA_BUNDLE", "SSL_CERT_FILE"].lazy
                .compactMap { context.environment[$0] }.first { !$0.isEmpty }
        }
        checksCertificates = context.settings["insecure"] != "true"
        isHTTP1Only = context.settings["http1.1"] == "true"
        if let url = context.settings["proxy"] { proxy = try CurlTransport.Proxy(url) }
        for line in (context.settings["resolve"] ?? "").split(separator: "\n") {
            addresses.append(try CurlTransport.Address(String(line)))
        }
    }
}
#endif
