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
            try Self.check(certificates: file)
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

    /// Throws `usage` for a file that can't be one of certificates; what is no regular file is left to libcurl, as it can be
    /// read once.
    private static func check(certificates path: String) throws(TransferError) {
        var status = stat()
        let isReadable = unsafe stat(path, &status) == 0 && access(path, R_OK) == 0
        let kind = status.st_mode & S_IFMT
        guard isReadable, kind != S_IFDIR else {
            let words = unsafe String(cString: strerror(isReadable ? EISDIR : errno))
            throw TransferError(
                .usage, "the certificates in \(path) can't be read: \(words); look whether --cacert is right")
        }
        // Opening a FIFO would take its writer away.
        guard kind == S_IFREG, status.st_size < largestBundle else { return }
        let file = unsafe open(path, O_RDONLY | O_CLOEXEC)
        defer { if file >= 0 { close(file) } }
        let bytes = unsafe [UInt8](unsafeUninitializedCapacity: Int(status.st_size)) { buffer, count in
            count = unsafe max(0, read(file, buffer.baseAddress, buffer.count))
        }
        guard bytes.contains("-----BEGIN ".utf8) else {
            throw TransferError(.usage, "\(path) has no certificates in it; --cacert takes a file of PEM")
        }
    }

    /// Debian's has 200 KB.
    private static let largestBundle = 16 << 20
}
#endif
