#if Curl
import Testing
import WhirlCore

@testable import WhirlCurl

@Suite("curl: heads from lines") struct HeadReaderTests {
    /// All heads that come of these lines.
    private func read(_ lines: [String]) -> [ResponseHead] {
        var reader = HeadReader()
        return lines.compactMap { line in
            let bytes = Array(line.utf8)
            guard case .head(let head) = unsafe bytes.withUnsafeBytes({ unsafe reader.read($0) }) else { return nil }
            return head
        }
    }

    @Test(
        "status and version are those of the status line",
        arguments: [
            ("HTTP/1.1 200 OK\r\n", 200, ResponseHead.Version.http11), ("HTTP/1.0 404 Not Found\r\n", 404, .http10),
            ("HTTP/1.1 200\r\n", 200, .http11), ("HTTP/1.1 206\n", 206, .http11), ("HTTP/2 503 \r\n", 503, .http2),
            ("HTTP/3 204 \r\n", 204, .http3), ("HTTP/9.9 200 OK\r\n", 200, .unknown),
        ])
    func statusLine(_ line: String, _ status: Int, _ version: ResponseHead.Version) {
        let heads = read([line, "\r\n"])
        #expect(heads.map(\.status) == [status] && heads.map(\.version) == [version])
    }

    @Test("informational heads and their fields leave no trace")
    func informational() {
        let heads = read([
            "HTTP/1.1 100 Continue\r\n", "\r\n", "HTTP/1.1 103 Early Hints\r\n", "Link: </a>\r\n", "\r\n",
            "HTTP/1.1 200 OK\r\n", "A: 1\r\n", "\r\n",
        ])
        #expect(heads.count == 1 && heads.first?.fields == [HTTPField("A", "1")])
    }

    @Test("fields keep their order, their repetitions and the case of their names")
    func fields() {
        let heads = read(["HTTP/1.1 200 OK\r\n", "Set-Cookie: a=1\r\n", "set-cookie:b=2\n", "X:\r\n", "\n"])
        #expect(
            heads.first?.fields == [
                HTTPField("Set-Cookie", "a=1"), HTTPField("set-cookie", "b=2"), HTTPField("X", ""),
            ])
        #expect(heads.first?.values("Set-Cookie") == ["a=1", "b=2"])
    }

    @Test("trailers give no second head")
    func trailers() {
        #expect(read(["HTTP/1.1 200 OK\r\n", "\r\n", "X-After: 1\r\n", "\r\n"]).count == 1)
    }

    @Test("a head without its empty line is none")
    func cut() {
        #expect(read(["HTTP/1.1 200 OK\r\n", "A: 1\r\n"]).isEmpty)
    }

    @Test("a block over 300 KiB is too large, one just below is not")
    func limit() {
        var reader = HeadReader()
        let line = Array(("X: " + String(repeating: "x", count: 1019) + "\r\n").utf8)
        #expect(line.count == 1024)
        _ = unsafe Array("HTTP/1.1 200 OK\r\n".utf8).withUnsafeBytes { unsafe reader.read($0) }
        for number in 1...301 {
            let result = unsafe line.withUnsafeBytes { unsafe reader.read($0) }
            if case .wrong = result { #expect(number == 301) } else { #expect(number <= 300) }
        }
    }
}
#endif
