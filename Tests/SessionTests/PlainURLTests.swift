import Testing
import WhirlCore

@testable import WhirlSession

@Suite("URLs of the usual kind") struct PlainURLTests {
    private static let schemes = ["http://", "https://", "HTTP://", "http:/"]
    private static let authorities = [
        "h", "example.org", "a-b.c", "127.0.0.1", "h:80", "h:8080", "h:0", "h:65536", "h:", "h:x", "H", "u@h", "[::1]",
        "",
        "xn--bcher-kva.example", "h:00080",
    ]
    private static let paths = [
        "/", "/a", "/a/b.tar.gz", "/a//b/", "/%41%2f", "/%4", "/%zz", "/a b", "/ü", "/a@b", "/a;b=c,d", "/a:b",
        "/..//./x",
        "/[", "/~_-!$&'()*+,;=:.", "/a|b", "/\"", "",
    ]
    private static let endings = ["", "?", "?a=b&c", "?a/b?c", "?%2", "?a#f", "#f", "?ü", "? ", "?@"]

    @Test("what is taken apart in one pass is the same as by the library that knows all URLs")
    func same() throws {
        var count = 0
        for scheme in Self.schemes {
            for authority in Self.authorities {
                for path in Self.paths {
                    for ending in Self.endings where try isSame(scheme + authority + path + ending) { count += 1 }
                }
            }
        }
        #expect(count > 500)  // else it is not what is usual
    }

    /// Whether it is of the usual kind.
    private func isSame(_ text: String) throws -> Bool {
        guard let plain = PlainURL(text) else { return false }
        let other = try SourceURL(parsing: text)
        #expect(plain.text == other.exchange, "\(text)")
        #expect(plain.host == other.host, "\(text)")
        #expect(plain.isSecure == other.isSecure, "\(text)")
        #expect(plain.port == other.port, "\(text)")
        #expect(plain.path == other.path, "\(text)")
        #expect(other.credentials == nil, "\(text)")
        return true
    }
}
