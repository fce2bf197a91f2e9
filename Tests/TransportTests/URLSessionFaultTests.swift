#if URLSession
import Foundation
import Testing
import WhirlCore

@testable import WhirlURLSession

@Suite("URLSession: faults by their signs")
struct URLSessionFaultTests {
    struct Sign: CustomTestStringConvertible, Sendable {
        let number: Int
        let text: String
        let code: TransferError.Code
        var hasHead = true

        var testDescription: String { "\(number) \(text.isEmpty ? "without text" : text)" }
    }

    static let signs = [
        Sign(number: -999, text: "", code: .cancelled),
        Sign(number: -1001, text: "", code: .timeout),
        Sign(number: -1002, text: "unsupported URL", code: .usage),
        Sign(number: -1000, text: "HTTP URL must have a host", code: .usage),
        Sign(number: -1003, text: "Could not resolve host: nowhere.invalid", code: .resolve, hasHead: false),
        Sign(number: -1004, text: "Failed to connect to 127.0.0.1 port 1 after 0 ms: refused", code: .connect),
        Sign(number: -1011, text: "Empty reply from server", code: .reset, hasHead: false),
        Sign(number: -1005, text: "Recv failure: Connection reset by peer", code: .reset),
        Sign(number: -1005, text: "Send failure: Broken pipe", code: .reset),
        Sign(number: -1, text: "OpenSSL SSL_read: unexpected eof while reading", code: .reset),
        Sign(number: -1, text: "transfer closed with 9 bytes remaining to read", code: .truncated),
        Sign(number: -1, text: "transfer closed with 2 bytes remaining to read", code: .reset, hasHead: false),
        Sign(number: -1, text: "transfer closed with outstanding read data remaining", code: .truncated),
        Sign(number: -1, text: "Illegal or missing hexadecimal sequence", code: .malformed),
        Sign(number: -1, text: "Invalid Content-Length: value", code: .malformed),
        Sign(number: -1, text: "Header without colon", code: .malformed),
        Sign(number: -1, text: "Failed writing header", code: .malformed, hasHead: false),
        Sign(number: -1002, text: "Received HTTP/0.9 when not allowed", code: .malformed, hasHead: false),
        Sign(number: -1002, text: "Unsupported response code in HTTP response", code: .malformed),
        Sign(number: -1, text: "Too large response headers: 307203 > 307200", code: .malformed),
        Sign(number: -1, text: "Out of memory", code: .malformed, hasHead: false),
        Sign(number: -1, text: "Error while processing content unencoding: invalid block", code: .malformed),
        Sign(number: -1, text: "SSL certificate problem: self-signed certificate", code: .certificate),
        Sign(number: -1, text: "SSL: no alternative certificate subject name matches", code: .certificate),
        Sign(number: -1, text: "OpenSSL/3.0.20: error:0A00010B:SSL routines::wrong version number", code: .tls),
        Sign(number: -1, text: "error:0A00010B:SSL routines::wrong version number", code: .tls),
        Sign(number: -1, text: "", code: .malformed),
        // The number is left over from an address that refused before another one answered.
        Sign(number: -1004, text: "transfer closed with 9 bytes remaining to read", code: .truncated),
        Sign(number: -1004, text: "SSL certificate problem: self-signed certificate", code: .certificate),
    ]

    @Test("the text names the fault, and the number only where there is no text", arguments: signs)
    func code(sign: Sign) {
        let error = TransferError(urlSession: sign.number, text: sign.text, hasHead: sign.hasHead)
        #expect(error.code == sign.code)
        #expect(error.native == sign.number)
        #expect(error.transport == "urlsession")
        #expect(error.message.contains(sign.text) || sign.text.isEmpty)
        #expect(!error.message.isEmpty)
    }

    @Test("libcurl's text is taken from the underlying error")
    func underlying() {
        let cause = NSError(
            domain: NSURLErrorDomain, code: -1004, userInfo: [NSLocalizedDescriptionKey: "Empty reply from server"])
        let error = NSError(domain: NSURLErrorDomain, code: -1004, userInfo: [NSUnderlyingErrorKey: cause])
        #expect(TransferError(error, hasHead: false).code == .reset)
    }
}
#endif
