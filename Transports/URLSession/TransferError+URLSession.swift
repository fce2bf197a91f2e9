#if URLSession
import Foundation
import FoundationNetworking
import WhirlCore

extension TransferError {
    /// What made a task fail.
    ///
    /// The number alone says little: most faults are -1, and one that is left over from a refused address can cover any. The
    /// text is libcurl's own and names the fault.
    init(_ error: NSError, hasHead: Bool) {
        let text = (error.userInfo[NSUnderlyingErrorKey] as? NSError)?.localizedDescription ?? ""
        self.init(urlSession: error.code, text: text, hasHead: hasHead)
    }

    /// A failure by the number of `NSURLErrorDomain` and libcurl's text, which may be empty.
    init(urlSession number: Int, text: String, hasHead: Bool) {
        var code = URLSessionFault.code(of: text) ?? URLSessionFault.code(of: number)
        // The body of an answer whose head was cut off.
        if code == .truncated, !hasHead { code = .reset }
        let sentence = URLSessionFault.sentence(code)
        self.init(
            code, text.isEmpty ? sentence : "\(sentence) (\(text))", transport: TransportPlugin.urlSession.name,
            native: number)
    }

    /// The task ended well without an answer.
    static var unanswered: TransferError {
        TransferError(.reset, URLSessionFault.sentence(.reset), transport: TransportPlugin.urlSession.name)
    }

    /// The server encoded a body although it was asked not to.
    static func encoded(_ encoding: String, status: Int) -> TransferError {
        TransferError(
            .unsupported,
            "the server sent the body with Content-Encoding \(encoding), which urlsession can't keep; -t curl can",
            transport: TransportPlugin.urlSession.name, status: status)
    }
}

/// The faults that FoundationNetworking and libcurl know, by their signs.
private enum URLSessionFault {
    /// How libcurl's texts begin, more special ones first.
    private static let texts: [(String, TransferError.Code)] = [
        ("Could not resolve", .resolve), ("Couldn't resolve", .resolve), ("Resolving timed out", .timeout),
        ("Failed to connect", .connect), ("Couldn't connect", .connect), ("Could not connect", .connect),
        ("CONNECT tunnel failed", .connect), ("Received HTTP code", .connect), ("Proxy CONNECT aborted", .connect),
        ("Connection timed out", .timeout), ("Connection timeout", .timeout), ("Operation timed out", .timeout),
        ("SSL connection timeout", .timeout),
        ("Empty reply from server", .reset), ("Recv failure", .reset), ("Send failure", .reset),
        ("Connection died", .reset), ("OpenSSL SSL_read", .reset), ("OpenSSL SSL_write", .reset),
        ("SSL_write() returned", .reset),
        ("transfer closed with", .truncated), ("end of response with", .truncated),
        ("SSL certificate", .certificate), ("SSL: no alternative certificate", .certificate),
        ("SSL: certificate", .certificate), ("SSL: unable to obtain", .certificate),
        ("server certificate verification", .certificate),
        ("OpenSSL", .tls), ("error:", .tls), ("SSL", .tls), ("TLS", .tls), ("error setting certificate", .tls),
        ("HTTP/2 stream", .reset), ("HTTP/2", .malformed), ("Error in the HTTP2 framing", .malformed),
        ("nghttp2", .malformed),
        ("Illegal or missing hexadecimal", .malformed), ("Malformed encoding", .malformed),
        ("chunk hex-length", .malformed), ("Invalid Content-Length", .malformed), ("Invalid status line", .malformed),
        ("Header without colon", .malformed), ("Failed writing header", .malformed),
        ("Failed writing received data", .malformed), ("Failure writing output", .malformed),
        ("Received HTTP/0.9", .malformed), ("Unsupported response code", .malformed),
        ("Unsupported HTTP", .malformed), ("Too large response headers", .malformed), ("Out of memory", .malformed),
        ("Weird server reply", .malformed), ("Nul byte in header", .malformed), ("Overflow", .malformed),
        ("Error while processing content unencoding", .malformed), ("Unrecognized content encoding", .malformed),
        ("Unrecognized or bad HTTP Content", .malformed), ("Reject response due to", .malformed),
        ("URL using bad", .usage), ("URL rejected", .usage), ("Port number", .usage), ("HTTP URL must have", .usage),
        ("URLSession and curl did not agree", .usage), ("unsupported URL", .usage), ("Protocol \"", .usage),
    ]

    static func code(of text: String) -> TransferError.Code? {
        texts.first { text.hasPrefix($0.0) }?.1
    }

    static func code(of number: Int) -> TransferError.Code {
        switch number {
        case NSURLErrorCancelled: .cancelled
        case NSURLErrorTimedOut: .timeout
        case NSURLErrorCannotFindHost, NSURLErrorDNSLookupFailed: .resolve
        case NSURLErrorCannotConnectToHost, NSURLErrorNotConnectedToInternet: .connect
        case NSURLErrorNetworkConnectionLost, NSURLErrorBadServerResponse: .reset
        case NSURLErrorBadURL, NSURLErrorUnsupportedURL: .usage
        case NSURLErrorServerCertificateUntrusted, NSURLErrorServerCertificateHasBadDate,
            NSURLErrorServerCertificateHasUnknownRoot, NSURLErrorServerCertificateNotYetValid:
            .certificate
        case NSURLErrorSecureConnectionFailed, NSURLErrorClientCertificateRejected,
            NSURLErrorClientCertificateRequired:
            .tls
        default: .malformed
        }
    }

    static func sentence(_ code: TransferError.Code) -> String {
        switch code {
        case .cancelled: "the exchange was cancelled"
        case .timeout: "the server took too long"
        case .resolve: "the host's name could not be resolved"
        case .connect: "no connection to the host"
        case .reset: "the connection was lost"
        case .truncated: "the body ended early"
        case .certificate: "the server's certificate is not to be trusted"
        case .tls: "no secure channel to the host"
        case .usage: "the URL can't be fetched"
        default: "the server's answer is not understood"
        }
    }
}
#endif
