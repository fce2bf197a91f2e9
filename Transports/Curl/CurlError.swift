#if Curl
import CWhirlCurl
import WhirlCore

/// What libcurl's results mean in Whirl's vocabulary.
enum CurlError {
    /// The code for a CURLcode; `protocol` for what has no place in the table, as such a result speaks of the answer.
    static func code(_ number: UInt32, _ text: String = "") -> TransferError.Code {
        // libcurl gives one number to a lost connection and to chunks that make no sense.
        if number == CURLE_RECV_ERROR.rawValue, text.hasSuffix("chunked-encoding") { return .malformed }
        // The same for more fields than it takes; a field that is too long is "out of memory", which has no place in the table.
        if text.hasPrefix("Too large response headers") { return .malformed }
        // The same for a tunnel that a proxy did not make.
        if refusal(text) != nil { return .connect }
        return codes[number] ?? .malformed
    }

    private static let codes: [UInt32: TransferError.Code] = {
        var codes: [UInt32: TransferError.Code] = [:]
        for (code, results) in groups {
            for result in results { codes[result.rawValue] = code }
        }
        return codes
    }()

    private static let groups: [(TransferError.Code, [CURLcode])] = [
        (.usage, [CURLE_URL_MALFORMAT]),
        (.unsupported, [CURLE_NOT_BUILT_IN]),
        (.resolve, [CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_RESOLVE_PROXY]),
        (.connect, [CURLE_COULDNT_CONNECT, CURLE_INTERFACE_FAILED, CURLE_PROXY, CURLE_NO_CONNECTION_AVAILABLE]),
        (.timeout, [CURLE_OPERATION_TIMEDOUT]),
        (.truncated, [CURLE_PARTIAL_FILE]),
        (.reset, [CURLE_GOT_NOTHING, CURLE_SEND_ERROR, CURLE_RECV_ERROR, CURLE_HTTP2, CURLE_HTTP2_STREAM]),
        (
            .tls,
            [
                CURLE_SSL_CONNECT_ERROR, CURLE_SSL_CIPHER, CURLE_SSL_SHUTDOWN_FAILED, CURLE_SSL_ENGINE_NOTFOUND,
                CURLE_SSL_ENGINE_SETFAILED, CURLE_SSL_ENGINE_INITFAILED, CURLE_USE_SSL_FAILED, CURLE_SSL_CLIENTCERT,
            ]
        ),
        (
            .certificate,
            [
                CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CACERT_BADFILE, CURLE_SSL_CERTPROBLEM, CURLE_SSL_CRL_BADFILE,
                CURLE_SSL_ISSUER_ERROR, CURLE_SSL_PINNEDPUBKEYNOTMATCH, CURLE_SSL_INVALIDCERTSTATUS,
            ]
        ),
        (
            .internal,
            [
                CURLE_FAILED_INIT, CURLE_BAD_FUNCTION_ARGUMENT, CURLE_UNKNOWN_OPTION,
                CURLE_RECURSIVE_API_CALL, CURLE_ABORTED_BY_CALLBACK, CURLE_WRITE_ERROR,
            ]
        ),
    ]

    /// The status with which a proxy refused a tunnel; nil when that is not what libcurl says.
    private static func refusal(_ text: String) -> Int? {
        let start = "CONNECT tunnel failed, response "
        return text.hasPrefix(start) ? Int(text.dropFirst(start.count)) : nil
    }

    /// What went wrong, with a sentence for people and libcurl's own words: the exchange's where it left some, else the
    /// general ones.
    static func error(_ result: CURLcode, _ buffer: UnsafeMutablePointer<CChar>?) -> TransferError {
        var text = unsafe buffer.map { unsafe String(cString: $0) } ?? ""
        // It may repeat a URL of the environment, with a password in it.
        if text.isEmpty || text.contains("@") { text = unsafe String(cString: curl_easy_strerror(result)) }
        let code = code(result.rawValue, text)
        let clean = String(decoding: text.utf8.map { $0 < 0x20 || $0 == 0x7F ? 0x20 : $0 }, as: UTF8.self)
        var error = TransferError(code, "\(sentence(code)) (\(clean))", transport: "curl")
        // A proxy that wants another password, or does not go there, will not the next time either.
        if let status = refusal(text), (400..<500).contains(status) { error.isRetryable = false }
        return error
    }

    static func sentence(_ code: TransferError.Code) -> String {
        switch code {
        case .resolve: "the host's name could not be resolved"
        case .connect: "no connection to the host"
        case .timeout: "the server took too long"
        case .reset: "the connection was lost"
        case .truncated: "the body ended early"
        case .certificate: "the server's certificate is not to be trusted"
        case .tls: "no secure channel to the host"
        case .usage: "the URL can't be fetched"
        case .unsupported, .internal: "libcurl can't do this"
        default: "the server's answer is not understood"
        }
    }
}
#endif
