import Testing
import WhirlCore

@testable import WhirlSession

@Suite("URLs of requests") struct SourceURLTests {
    @Test(
        "what goes to the transport has no userinfo and no fragment",
        arguments: [
            ("http://h/a#f", "http://h/a"), ("http://u:p@h/a?x=1#f", "http://h/a?x=1"), ("https://h", "https://h"),
            ("http://h/a b/ü", "http://h/a%20b/%C3%BC"), ("http://[::1]:8080/x", "http://[::1]:8080/x"),
        ])
    func exchange(_ given: String, _ expected: String) throws {
        #expect(try SourceURL(given).exchange == expected)
    }

    @Test("userinfo becomes credentials, decoded")
    func credentials() throws {
        #expect(try SourceURL("http://us%40er:p%3Aw@h/").credentials == "us@er:p:w")
        #expect(try SourceURL("http://h/").credentials == nil)
    }

    @Test("origins are compared with their default ports and without case")
    func origins() throws {
        #expect(try SourceURL("HTTP://Host/a").origin == SourceURL("http://host:80/b").origin)
        #expect(try SourceURL("https://host").origin == SourceURL("https://host:443").origin)
        #expect(try SourceURL("https://host").origin != SourceURL("http://host").origin)
    }

    @Test(
        "a URL that makes no sense is refused with a sentence that names it and what to do",
        arguments: [
            ("example.org/x", "example.org/x has no scheme; did you mean https://example.org/x?"),
            ("ftp://h/x", "ftp://h/x has the scheme ftp; only http and https are fetched"),
            ("http:///x", "http:///x names no host; did you mean http://x?"),
            ("https:", "https: names no host; write it as https://HOST/PATH"),
            ("http://h:99999/", "http://h:99999/ names port 99999; ports go from 1 to 65535"),
            ("", "the URL is empty; write it as https://HOST/PATH"),
            ("//u:secret@h/x", "//h/x has no scheme; did you mean https://h/x?"),
            ("http:/u:secret@h/x", "http:/h/x names no host; did you mean http://h/x?"),
            ("http:///u:secret@h/x", "http:///h/x names no host; did you mean http://h/x?"),
            ("-", "- is not a URL; write it as https://HOST/PATH"),
            ("--", "-- is not a URL; write it as https://HOST/PATH"),
            ("//", "// is not a URL; write it as https://HOST/PATH"),
        ])
    func refused(_ given: String, _ sentence: String) {
        #expect(throws: TransferError(.usage, sentence)) { try SourceURL(given) }
    }

    @Test(
        "control characters are refused",
        arguments: ["http://h/\u{0}", "http://h/a\nb", "http://h/\r", "http://h/\u{7F}"])
    func controls(_ given: String) {
        #expect(throws: TransferError.self) { try SourceURL(given) }
    }

    @Test(
        "a Location is resolved by RFC 3986",
        arguments: [
            ("/abs", "http://h:8/abs"), ("rel", "http://h:8/a/b/rel"), ("../up", "http://h:8/a/up"),
            ("?q=1", "http://h:8/a/b/c?q=1"), ("//other/x", "http://other/x"), ("https://s/x", "https://s/x"),
            ("http://u:p@h:8/x#f", "http://h:8/x"),
        ])
    func resolves(_ location: String, _ expected: String) throws {
        #expect(try SourceURL("http://h:8/a/b/c?x=y").resolve(location).exchange == expected)
    }

    @Test(
        "a Location that leaves http is not followed",
        arguments: ["file:///etc/passwd", "ftp://h/x", "data:,x", "javascript:1"])
    func unfollowed(_ location: String) throws {
        let error = try #require(throws: TransferError.self) { try SourceURL("http://h/").resolve(location) }
        #expect(error.code == .redirect)
    }
}

@Suite("Secrets in URLs") struct RedactionTests {
    @Test(
        "userinfo and the values of secret keys are not shown",
        arguments: [
            ("ftp://h/a#access_token=x&b=1", "ftp://h/a#access_token=…&b=1"), ("/a?key=x?y#sig=z", "/a?key=…#sig=…"),
            ("http://u:secret@h/x", "http://h/x"), ("http://h/x?token=abc&a=1", "http://h/x?token=…&a=1"),
            ("http://h/?X-Amz-Signature=s&X-AMZ-Credential=c#f", "http://h/?X-Amz-Signature=…&X-AMZ-Credential=…#f"),
            ("http://h/?to%6ben=abc", "http://h/?to%6ben=…"),
            ("http://h/x?tokens=1&monkey=2", "http://h/x?tokens=1&monkey=2"),
            ("http://h/a@b?c=@d", "http://h/a@b?c=@d"), ("//u:p@h", "//h"), ("http://u:p@u2:p2@h/", "http://h/"),
            ("no url", "no url"), ("user:pw@host/x", "host/x"), ("http://u:pa/ss@host/x", "http://host/x"),
            ("http://h:80/a@b", "http://h:80/a@b"), ("http://[::1]:80/a@b", "http://[::1]:80/a@b"),
            ("http:/u:secret@h/x", "http:/h/x"), ("http:///u:secret@h/x", "http:///h/x"), ("///u:secret@h/x", "///h/x"),
            ("https//u:secret@h/x", "https//h/x"), ("http:u:secret@h/x", "h/x"), ("http:\\\\u:secret@h", "http:\\\\h"),
            ("--http://u:secret=1@h/", "--http://h/"), ("http://u:sec ret@h/", "http://h/"),
            ("http://u:sec?ret@h/", "http://h/"), ("http://u:sec#ret@h/", "http://h/"),
            ("http://u@v:sec/ret@h/", "http://h/"), ("http://h/?next=http://u:secret@i/", "http://h/?next=http://i/"),
            ("u:secret@h//x", "h//x"), ("http://h:4873/@scope/name", "http://h:4873/@scope/name"),
            ("/home/me@work/x", "/home/me@work/x"), ("example.org/a@b", "example.org/a@b"),
            ("http://h/?key", "http://h/?key"), ("http://h/?key=", "http://h/?key=…"),
        ])
    func redacts(_ given: String, _ expected: String) {
        #expect(Redaction.url(given) == expected)
    }
}

@Suite("Names of files") struct FileNameTests {
    @Test(
        "a URL's last segment gives a name that is safe",
        arguments: [
            ("a.iso", "a.iso"), ("", "index.html"), ("a%20b.txt", "a b.txt"), ("..", "_."), ("%2e%2e", "_."),
            ("%2Fetc%2Fpasswd", "_etc_passwd"), (".bashrc", "_bashrc"), ("a%00b%1B%5B2J", "a_b_[2J"),
            ("%E2%80%AEgpj.exe", "_gpj.exe"), ("%C3%A4", "ä"), ("50%", "50%"), ("%zz", "%zz"),
        ])
    func suggested(_ segment: String, _ expected: String) {
        #expect(FileName.suggested(by: segment[...]) == expected)
    }

    @Test("a name has at most 240 bytes and keeps its ending")
    func long() {
        let name = FileName.safe(String(repeating: "é", count: 300) + ".tar.gz")
        #expect(name.utf8.count <= 240 && name.hasSuffix(".gz"))
        #expect(FileName.safe(String(repeating: "x", count: 300)).utf8.count == 240)
    }

    @Test(
        "a name that is taken gets a number before its ending",
        arguments: [
            ("d/a.txt", "d/a (2).txt"), ("a", "a (2)"), ("x.y/a", "x.y/a (2)"), (".rc", ".rc (2)"),
        ])
    func numbered(_ path: String, _ expected: String) {
        #expect(FileName.numbered(path, 2) == expected)
    }
}
