#if Curl
import CWhirlCurl
import Glibc
import WhirlCore

/// What the libcurl at hand is and can do.
enum CurlVersion {
    /// `curl_global_init` is called once and never undone: URLSession shares this library.
    static let isReady: Bool = curl_global_init(Int(CURL_GLOBAL_ALL)) == CURLE_OK

    /// Tells OpenSSL not to take itself apart when the process exits.
    ///
    /// Transfers may be under way on the loop's thread then, and would crash. Only the first word that OpenSSL hears in
    /// a process counts. Looked up by name, as libcurl may have been built with another library for TLS.
    static let keepsTLSUntilExit: Bool = {
        typealias Initialize = @convention(c) (UInt64, OpaquePointer?) -> Int32
        let withoutExitHandler: UInt64 = 0x0008_0000
        guard let symbol = unsafe dlsym(nil, "OPENSSL_init_crypto") else { return false }
        return unsafe unsafeBitCast(symbol, to: Initialize.self)(withoutExitHandler, nil) == 1
    }()

    static let capabilities: Capabilities = {
        let always: Capabilities = [.pause, .backpressure, .phases, .timings, .rawBody, .robust]
        return hasFeature(CURL_VERSION_HTTP2) ? always.union(.http2) : always
    }()

    /// Versions and features for people.
    static let versions: [String: String] = {
        guard let info = unsafe whirl_version() else { return [:] }
        var versions = ["libcurl": unsafe text(info.pointee.version)]
        unsafe versions["tls"] = text(info.pointee.ssl_version)
        unsafe versions["zlib"] = text(info.pointee.libz_version)
        versions["features"] = features.filter { hasFeature($0.bit) }.map(\.name).joined(separator: " ")
        return versions.filter { !$0.value.isEmpty }
    }()

    private static let features: [(bit: Int32, name: String)] = [
        (CURL_VERSION_SSL, "https"), (CURL_VERSION_HTTP2, "http2"), (CURL_VERSION_HTTP3, "http3"),
        (CURL_VERSION_IPV6, "ipv6"), (CURL_VERSION_ASYNCHDNS, "asynchronous-dns"), (CURL_VERSION_IDN, "idn"),
        (CURL_VERSION_LARGEFILE, "large-files"),
    ]

    private static func hasFeature(_ bit: Int32) -> Bool {
        guard let info = unsafe whirl_version() else { return false }
        return unsafe info.pointee.features & bit != 0
    }

    private static func text(_ pointer: UnsafePointer<CChar>?) -> String {
        guard let pointer = unsafe pointer else { return "" }
        return unsafe String(cString: pointer)
    }
}
#endif
