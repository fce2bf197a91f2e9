#if Curl
import CWhirlCurl
import Glibc
public import WhirlCore

extension CurlTransport {
    /// A proxy that every exchange goes through.
    public struct Proxy: Equatable, Sendable {
        /// Scheme, host and port.
        public let url: String
        /// Who we are to the proxy; nil: nobody.
        public let user: String?
        /// The password that belongs to `user`.
        public let password: String?

        /// Whether a variable that libcurl looks at names one.
        static var isInEnvironment: Bool {
            let names = ["http_proxy", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"]
            return names.contains { name in unsafe getenv(name) != nil }
        }

        private static let schemes = ["http", "https", "socks4", "socks4a", "socks5", "socks5h"]

        /// Reads a URL such as `http://proxy:3128`, perhaps with userinfo; without a scheme it is `http`.
        ///
        /// Throws `usage`; the text, which may have a password in it, is not repeated.
        public init(_ text: String) throws(TransferError) {
            func failure(_ message: String) -> TransferError { TransferError(.usage, "the proxy's URL \(message)") }
            guard let parts = Parts(text.contains("://") ? text : "http://" + text) else {
                throw failure("makes no sense; write it as http://HOST:PORT")
            }
            guard let scheme = parts[CURLUPART_SCHEME]?.lowercased(), Self.schemes.contains(scheme) else {
                throw failure("must begin with one of \(Self.schemes.joined(separator: ", "))")
            }
            guard let host = parts[CURLUPART_HOST], let port = parts[CURLUPART_PORT] else {
                throw failure("needs a host and a port; write it as http://HOST:PORT")
            }
            guard parts[CURLUPART_QUERY] == nil, parts[CURLUPART_FRAGMENT] == nil,
                [nil, "", "/"].contains(parts[CURLUPART_PATH])
            else { throw failure("ends with its port; write it as http://HOST:PORT") }
            url = "\(scheme)://\(host):\(port)"
            user = parts[CURLUPART_USER]
            password = parts[CURLUPART_PASSWORD]
        }
    }

    /// A URL taken apart by libcurl itself, so that it means the same to both.
    @safe private final class Parts {
        private let handle: OpaquePointer

        /// Nil for what libcurl does not take for a URL.
        init?(_ text: String) {
            guard let handle = unsafe curl_url() else { return nil }
            unsafe self.handle = handle
            let flags = UInt32(CURLU_NON_SUPPORT_SCHEME)
            guard unsafe curl_url_set(handle, CURLUPART_URL, text, flags) == CURLUE_OK else { return nil }
        }

        deinit { unsafe curl_url_cleanup(handle) }

        /// Decoded where it is userinfo; nil when it is not there.
        subscript(_ part: CURLUPart) -> String? {
            let isUserinfo = part == CURLUPART_USER || part == CURLUPART_PASSWORD
            var text: UnsafeMutablePointer<CChar>?
            let flags = UInt32(isUserinfo ? CURLU_URLDECODE : 0)
            guard unsafe curl_url_get(handle, part, &text, flags) == CURLUE_OK, let text = unsafe text else {
                return nil
            }
            defer { unsafe curl_free(text) }
            return unsafe String(cString: text)
        }
    }
}
#endif
