#if Curl
import CWhirlCurl
import WhirlCore

/// What is set on every libcurl handle.
enum CurlOptions {
    /// What is wrong with a request that must not reach the wire; nil: nothing.
    static func complaint(_ request: ExchangeRequest, _ fields: CurlFieldList) -> TransferError? {
        let url = request.url.utf8
        if !url.allSatisfy({ $0 > 0x20 && $0 != 0x7F }) {
            return TransferError(
                .usage, "the URL has a space or a control character; write it as %20 or the like", transport: "curl")
        }
        if !hasScheme("http", url) && !hasScheme("https", url) {
            return TransferError(
                .unsupported, "the URL is of another kind; only http and https are fetched", transport: "curl")
        }
        if !request.method.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) || request.method.isEmpty {
            return TransferError(.usage, "the method is not a word; write it as GET", transport: "curl")
        }
        return fields.isForged
            ? TransferError(.usage, "a header has a character that may not be in it; leave it out", transport: "curl")
            : nil
    }

    private static func hasScheme(_ scheme: StaticString, _ url: String.UTF8View) -> Bool {
        let length = scheme.utf8CodeUnitCount
        return scheme.withUTF8Buffer { scheme in
            unsafe url.prefix(length).elementsEqual(scheme) { $0 | 0x20 == $1 }
        } && url.dropFirst(length).first == 0x3A
    }

    static func isSecure(_ request: ExchangeRequest) -> Bool {
        request.url.utf8.dropFirst(4).first.map { $0 | 0x20 } == UInt8(ascii: "s")
    }

    /// All but the URL and the callbacks' context.
    static func apply(
        _ request: ExchangeRequest, _ fields: CurlFieldList, _ configuration: CurlTransport.Configuration,
        to easy: UnsafeMutableRawPointer
    ) {
        switch request.method {
        case "GET": break
        case "HEAD": unsafe whirl_set_long(easy, CURLOPT_NOBODY, 1)
        default: unsafe whirl_set_string(easy, CURLOPT_CUSTOMREQUEST, request.method)
        }
        if let list = unsafe fields.lines.list { unsafe whirl_set_list(easy, CURLOPT_HTTPHEADER, list) }
        unsafe applyAlways(to: easy)
        unsafe applyRoute(configuration, to: easy)
        unsafe whirl_set_long(easy, CURLOPT_CONNECTTIMEOUT_MS, connectLimit(request))
        let isSecure = isSecure(request)
        if isSecure || configuration.proxy?.url.hasPrefix("https:") == true {
            unsafe applySecurity(configuration, to: easy)
        }
        // Transfers that start together share the connection that the first of them makes, if it speaks HTTP/2: where it
        // can't, all would wait until the first connection has ended.
        if isSecure, !configuration.isHTTP1Only { unsafe whirl_set_long(easy, CURLOPT_PIPEWAIT, 1) }
        if let rate = request.rate {
            unsafe whirl_set_long(easy, CURLOPT_BUFFERSIZE, min(largestBuffer, bufferSize(rate)))
        }
        unsafe applyCallbacks(to: easy)
    }

    /// In bytes: with what it is copied to it stays in a processor's own memory.
    private static let largestBuffer = 64 << 10

    /// What the system and libcurl may each hold of a slow transfer, in bytes: a quarter of a second's worth.
    static func bufferSize(_ rate: Int64) -> Int { Int(min(256 << 10, max(4 << 10, rate / 4))) }

    /// In milliseconds: a little more than whoever asks will wait, whose own timer comes first.
    ///
    /// libcurl gives each address of a host half of what is left of it, so a dead one does not eat it all.
    private static func connectLimit(_ request: ExchangeRequest) -> Int {
        guard let seconds = request.connectTimeout, seconds < 1_000_000 else { return Int(Int32.max) }
        return Int(max(0, seconds) * 1000) + 500
    }

    private static func applyAlways(to easy: UnsafeMutableRawPointer) {
        // Without it libcurl changes signal handlers, twice for every transfer.
        unsafe whirl_set_long(easy, CURLOPT_NOSIGNAL, 1)
        // Without it a cancel waits for the thread that resolves a name.
        unsafe whirl_set_long(easy, CURLOPT_QUICK_EXIT, 1)
        unsafe whirl_set_long(easy, CURLOPT_BUFFERSIZE, largestBuffer)
        unsafe whirl_set_long(easy, CURLOPT_TCP_KEEPALIVE, 1)
        unsafe whirl_set_string(easy, CURLOPT_PROTOCOLS_STR, "http,https")
        unsafe whirl_set_long(easy, CURLOPT_FOLLOWLOCATION, 0)
        unsafe whirl_set_long(easy, CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
    }

    private static func applyRoute(_ configuration: CurlTransport.Configuration, to easy: UnsafeMutableRawPointer) {
        let version = configuration.isHTTP1Only ? CURL_HTTP_VERSION_1_1 : CURL_HTTP_VERSION_2TLS
        unsafe whirl_set_long(easy, CURLOPT_HTTP_VERSION, version)
        guard let proxy = configuration.proxy else {
            // Else libcurl looks at five variables for every transfer.
            if !CurlTransport.Proxy.isInEnvironment { unsafe whirl_set_string(easy, CURLOPT_PROXY, "") }
            return
        }
        // Apart, as libcurl repeats in its errors a URL that it does not like.
        unsafe whirl_set_string(easy, CURLOPT_PROXY, proxy.url)
        if let user = proxy.user { unsafe whirl_set_string(easy, CURLOPT_PROXYUSERNAME, user) }
        if let password = proxy.password { unsafe whirl_set_string(easy, CURLOPT_PROXYPASSWORD, password) }
    }

    private static func applySecurity(
        _ configuration: CurlTransport.Configuration, to easy: UnsafeMutableRawPointer
    ) {
        // With a folder of certificates libcurl reads all of them anew for every connection.
        unsafe whirl_set_string(easy, CURLOPT_CAPATH, nil)
        unsafe whirl_set_string(easy, CURLOPT_PROXY_CAPATH, nil)
        if let file = configuration.certificateFile {
            unsafe whirl_set_string(easy, CURLOPT_CAINFO, file)
            unsafe whirl_set_string(easy, CURLOPT_PROXY_CAINFO, file)
        }
        if !configuration.checksCertificates {
            unsafe whirl_set_long(easy, CURLOPT_SSL_VERIFYPEER, 0)
            unsafe whirl_set_long(easy, CURLOPT_SSL_VERIFYHOST, 0)
        }
        unsafe whirl_set_tls_function(easy, beginTLS)
    }

    private static func applyCallbacks(to easy: UnsafeMutableRawPointer) {
        unsafe whirl_set_data_function(easy, CURLOPT_HEADERFUNCTION, readHeader)
        unsafe whirl_set_data_function(easy, CURLOPT_WRITEFUNCTION, receiveBody)
        unsafe whirl_set_resolver_function(easy, beginResolving)
        unsafe whirl_set_socket_function(easy, beginConnecting)
        unsafe whirl_set_request_function(easy, beginRequest)
    }

    /// What every callback is given.
    static func apply(_ context: UnsafeMutableRawPointer, to easy: UnsafeMutableRawPointer) {
        unsafe whirl_set_pointer(easy, CURLOPT_PRIVATE, context)
        unsafe whirl_set_pointer(easy, CURLOPT_HEADERDATA, context)
        unsafe whirl_set_pointer(easy, CURLOPT_WRITEDATA, context)
        unsafe whirl_set_pointer(easy, CURLOPT_RESOLVER_START_DATA, context)
        unsafe whirl_set_pointer(easy, CURLOPT_SOCKOPTDATA, context)
        unsafe whirl_set_pointer(easy, CURLOPT_SSL_CTX_DATA, context)
        unsafe whirl_set_pointer(easy, CURLOPT_PREREQDATA, context)
    }
}
#endif
