#if URLSession
import Glibc
public import WhirlCore

extension TransportPlugin {
    /// The transport `urlsession`.
    public static let urlSession = TransportPlugin(
        name: "urlsession", summary: "Foundation's URLSession; any system with Swift, few abilities",
        capabilities: URLSessionTransport.capabilities, versions: { versions }
    ) { _ in
        URLSessionTransport()
    }

    /// FoundationNetworking does not tell its version: it comes with the toolchain.
    private static var versions: [String: String] {
        var versions: [String: String] = [:]
        #if compiler(>=6.4)
        versions["foundation"] = "6.4 or later"
        #else
        versions["foundation"] = "6.3"
        #endif
        versions["libcurl"] = libcurl
        return versions
    }

    /// The version of the libcurl that FoundationNetworking brought into the process.
    private static var libcurl: String? {
        typealias Version = @convention(c) () -> UnsafePointer<CChar>
        guard let symbol = unsafe dlsym(nil, "curl_version") else { return nil }
        // Such as "libcurl/7.88.1 OpenSSL/3.0.19 zlib/1.2.13".
        let text = unsafe String(cString: unsafeBitCast(symbol, to: Version.self)())
        return text.split(separator: " ").first?.split(separator: "/").last.map(String.init)
    }
}
#endif
