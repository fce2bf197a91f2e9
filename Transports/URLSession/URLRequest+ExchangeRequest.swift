#if URLSession
import Foundation
import FoundationNetworking
import WhirlCore

extension URLRequest {
    /// The request as FoundationNetworking wants it.
    ///
    /// What it would trap on, hang on or quietly change is a `usage` failure here.
    init(checking request: ExchangeRequest) throws(TransferError) {
        func failure(_ message: String) -> TransferError {
            TransferError(.usage, message, transport: TransportPlugin.urlSession.name)
        }
        guard !request.method.isEmpty, request.method.utf8.allSatisfy({ (0x41...0x5A).contains($0) || $0 == 0x2D })
        else {
            throw failure("the method is not a word in capitals; write it as GET")
        }
        guard request.url.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F }), let url = URL(string: request.url) else {
            throw failure("the URL is none; write it as https://HOST/PATH")
        }
        guard let scheme = url.scheme?.lowercased(), scheme == "http" || scheme == "https" else {
            throw failure("the URL is of another kind; only http and https are fetched")
        }
        guard let host = url.host(), !host.isEmpty, (url.port ?? 1) <= 65535 else {
            throw failure("the URL has no host, or a port above 65535; write it as https://HOST:PORT/PATH")
        }
        guard !host.contains(":") else {
            throw TransferError(
                .unsupported,
                "urlsession can't fetch from an IPv6 address in a URL; -t curl can",
                transport: TransportPlugin.urlSession.name)
        }
        guard url.user() == nil, url.password() == nil, url.fragment() == nil else {
            throw failure("the URL has userinfo or a fragment; leave it out")
        }
        self.init(url: url)
        httpMethod = request.method
        for field in request.fields {
            guard field.isSendable else {
                throw failure("a header has a character that may not be in it; leave it out")
            }
            addValue(field.value, forHTTPHeaderField: field.name)
        }
        // FoundationNetworking asks for every encoding unless it is told otherwise, and decodes what it gets.
        if value(forHTTPHeaderField: "Accept-Encoding") == nil {
            setValue("identity", forHTTPHeaderField: "Accept-Encoding")
        }
    }
}

extension HTTPField {
    /// The name is a token of RFC 9110, and the value stays on its line.
    fileprivate var isSendable: Bool {
        func isToken(_ byte: UInt8) -> Bool {
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
            case UInt8(ascii: "a")...UInt8(ascii: "z"): true
            default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
            }
        }
        return !name.isEmpty && name.utf8.allSatisfy(isToken)
            && !value.utf8.contains { $0 == 0x0A || $0 == 0x0D || $0 == 0 }
    }
}
#endif
