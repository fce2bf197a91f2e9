import Testing
import WhirlCore
import WhirlSession

@testable import WhirlLauncher

@Suite("A record of a manifest")
struct ManifestRecordTests {
    private func read(_ text: String) throws(CommandError) -> TransferRequest {
        try ManifestRecord(Array(text.utf8)[...]).request
    }

    @Test("says all there is to say of a transfer")
    func full() throws {
        let digest = String(repeating: "aB", count: 32)
        let request = try read(
            """
            {"url": "http://h/a", "destination": "d/ä b", "digests": {"SHA-256": "\(digest)", "md5": "\(digest.prefix(32))"},
            "headers": {"Accept": " text/csv ", "X-Key": "s"}, "size": 12}
            """)
        #expect(request.url == "http://h/a" && request.destination == .path("d/ä b") && request.size == 12)
        #expect(request.digests == [.sha256: digest.lowercased(), .md5: String(digest.prefix(32)).lowercased()])
        #expect(request.fields == [HTTPField("Accept", "text/csv"), HTTPField("X-Key", "s")])
    }

    @Test("needs a URL and nothing else; null is nothing")
    func least() throws {
        let request = try read(#"{"url":"http://h/a","destination":null,"digests":null,"headers":null,"size":null}"#)
        #expect(request.url == "http://h/a" && request.destination == .suggested && request.size == nil)
        #expect(request.digests.isEmpty && request.fields.isEmpty)
    }

    @Test("may have several URLs of the same bytes")
    func mirrors() throws {
        let request = try read(#"{"urls":["http://h/a","http://i/a","http://j/b"]}"#)
        #expect(request.url == "http://h/a" && request.mirrors == ["http://i/a", "http://j/b"])
    }

    @Test("may have fields beside it that are somebody else's")
    func others() throws {
        let value = try JSONValue(Array(#"{"id":1,"command":"add","url":"http://h/a"}"#.utf8)[...])
        #expect(try ManifestRecord(value, besides: ["id", "command"]).request.url == "http://h/a")
        let complaint = Samples.complaint { () throws(CommandError) in try ManifestRecord(value) }
        #expect(
            complaint == "'id' is not a field; there is url, urls, destination, digests, headers, size")
    }

    @Test(
        "that is wrong is told by the name of the field",
        arguments: [
            (#"["http://h/a"]"#, #"is an array; it must be an object, such as {"url": "https://example.org/a"}"#),
            ("{}", #"has no url; write {"url": "https://example.org/a"}"#),
            (#"{"url":null}"#, #"has no url; write {"url": "https://example.org/a"}"#),
            (#"{"url":""}"#, "url is empty; put a URL into it"),
            (#"{"url":"u","urls":["v"]}"#, "has url and urls; leave one out"),
            (#"{"urls":[]}"#, "urls must be an array of strings, not an empty one"),
            (#"{"urls":"u"}"#, "urls must be an array of strings, not a string"),
            (#"{"urls":["u",1]}"#, "urls must be an array of strings; in it is a number"),
            (#"{"urls":["u",""]}"#, "urls is empty; put a URL into it"),
            (#"{"url":1}"#, "'url' must be a string, not a number"),
            (
                #"{"url":"u","destnation":"x"}"#,
                "'destnation' is not a field; there is url, urls, destination, digests, headers, size; did you mean destination?"
            ),
            (#"{"url":"u","destination":""}"#, "destination: must not be empty; give a value, or leave it out"),
            (#"{"url":"u","destination":"-"}"#, "destination: - is not for a manifest; use -o - with one URL"),
            (
                #"{"url":"u","destination":"http://me:secret@h/"}"#,
                "destination: 'http://h/' is a URL; here goes the path of a file or folder"
            ),
            (#"{"url":"u","destination":"a\u0000"}"#, "destination: must not contain a NUL; leave it out"),
            (#"{"url":"u","digests":"x"}"#, "digests must be an object, not a string"),
            (
                #"{"url":"u","digests":{"crc32":"x"}}"#,
                "digests: 'crc32' is not a checksum; there is md5, sha1, sha224, sha256, sha384, sha512"
            ),
            (#"{"url":"u","digests":{"md5":"1"}}"#, "digests: '1' is not a md5; it has 32 hexadecimal digits"),
            (#"{"url":"u","digests":{"md5":1}}"#, "digests: 'md5' must be a string, not a number"),
            (
                #"{"url":"u","digests":{"md5":"d41d8cd98f00b204e9800998ecf8427e","MD5":"d41d8cd98f00b204e9800998ecf8427e"}}"#,
                "digests: md5 stands twice; leave one out"
            ),
            (#"{"url":"u","headers":[]}"#, "headers must be an object, not an array"),
            (#"{"url":"u","headers":{"A":true}}"#, "headers: 'A' must be a string, not true"),
            (
                #"{"url":"u","headers":{"A":"secret\r\nX: y"}}"#,
                "headers: the value of A contains a line end or another control character; leave it out"
            ),
            (
                #"{"url":"u","headers":{"Cookie: secret":""}}"#,
                #"headers: there is a name that can't be a header's; write {"Accept": "text/csv"}"#
            ),
            (#"{"url":"u","headers":{"Range":"bytes=1-"}}"#, "headers: Range is set by whirl itself; leave it out"),
            (#"{"url":"u","size":"1"}"#, "size must be a whole number of bytes, not a string"),
            (#"{"url":"u","size":-1}"#, "size must be a whole number of bytes, not that"),
            (#"{"url":"u","size":1.5}"#, "size must be a whole number of bytes, not that"),
            (#"{"url":"u"} x"#, "not JSON at column 13: there is more after the value; write one whole value a line"),
        ])
    func mistakes(_ text: String, _ sentence: String) {
        #expect(Samples.complaint { () throws(CommandError) in try read(text) } == sentence)
    }
}
