import Testing
import WhirlCore
import WhirlSession

@testable import WhirlLauncher

@Suite("A list of another kind")
struct ListFormatTests {
    private static let md5 = "d41d8cd98f00b204e9800998ecf8427e"
    private static let sha1 = "da39a3ee5e6b4b0d3255bfef95601890afd80709"

    /// What a list gives, and what people are told of it.
    private struct Found {
        var requests: [TransferRequest] = []
        var complaints: [String] = []
        var warnings: [String] = []
    }

    private func read(
        _ chunks: [String], _ format: ListFormat = .auto, base: String? = nil, isWhole: Bool = true
    ) throws -> Found {
        var source = ListSource()
        source.format = format
        source.base = try base.map { text throws(CommandError) in try BaseURL(text) }
        var reader = ListReader(name: "list", source, isWhole: isWhole)
        var found = Found()
        for chunk in chunks.map({ Array($0.utf8) }) + [[]] {
            reader.append(chunk)
            while let item = reader.next() {
                switch item {
                case .request(let listed): found.requests.append(listed.request)
                case .wrong(let error, url: _): found.complaints.append(error.message.text)
                }
            }
        }
        found.warnings = reader.warnings.map(\.text)
        return found
    }

    @Test("is known by its first line that is neither empty nor a comment")
    func detection() throws {
        #expect(try read(["\n# c\n{\"url\":\"http://h/a\"}\n{\"url\":\"http://h/b\"}"]).requests.map(\.url).count == 2)
        #expect(try read(["# c\n\(Self.md5)  a\n"], base: "http://h/d").requests.map(\.url) == ["http://h/d/a"])
        #expect(try read(["http://h/a\n"]).requests.map(\.url) == ["http://h/a"])
        #expect(
            try read(["http://h/a\n{\n"]).requests.map(\.url) == ["http://h/a", "{"], "a later line decides nothing")
    }

    @Test("may have other URLs of the same bytes beside each")
    func mirrors() throws {
        let found = try read(["http://h/a http://i/a?x=1\thttp://j/a out=b\n"])
        #expect(found.requests.map(\.mirrors) == [["http://i/a?x=1", "http://j/a"]])
        #expect(found.requests.map(\.destination) == [.path("b")])
    }

    // MARK: aria2

    @Test("of aria2 has options below its URLs")
    func aria2() throws {
        let found = try read([
            """
            # as aria2 writes it
            http://h/a\thttp://i/a
              out=x.bin
              dir=down
              checksum=sha-1=\(Self.sha1)
              header=X-Key: 1
              header=Accept: text/csv
              user-agent=Me/1
              referer=http://r/
            http://h/b
             http-user=me
            \thttp-passwd=p:w
            \tdir=/abs/{x}
            http://h/c
            """
        ])
        #expect(found.complaints.isEmpty && found.warnings.isEmpty)
        let (first, second) = (found.requests[0], found.requests[1])
        #expect(
            first.url == "http://h/a" && first.mirrors == ["http://i/a"] && first.destination == .path("down/x.bin"))
        #expect(first.digests == [.sha1: Self.sha1])
        #expect(
            first.fields == [
                HTTPField("X-Key", "1"), HTTPField("Accept", "text/csv"), HTTPField("User-Agent", "Me/1"),
                HTTPField("Referer", "http://r/"),
            ])
        #expect(second.destination == .template("/abs/{{x}/{name}"))
        #expect(second.fields == [HTTPField("Authorization", "Basic bWU6cDp3")])
        #expect(found.requests.map(\.url) == ["http://h/a", "http://h/b", "http://h/c"])
    }

    @Test("of aria2 may say how aria2 goes about it: that is passed over, and told once")
    func passedOver() throws {
        let found = try read(["http://h/a\n split=5\n max-download-limit=1M\nhttp://h/b\n split=5\n pause=false\n"])
        #expect(found.requests.count == 2 && found.complaints.isEmpty)
        #expect(
            found.warnings == [
                "list:2: 'split' of aria2 has no meaning here and is passed over",
                "list:3: 'max-download-limit' of aria2 has no meaning here and is passed over; see --limit-rate-per-task",
            ])
    }

    @Test("of aria2 has nothing but options below its URLs")
    func noOption() throws {
        #expect(
            try read(["http://h/a\n nonsense\n"], .aria2).complaints == [
                "list:2: begins with a blank, so it should be an option of the URL above it; write NAME=VALUE"
            ])
    }

    @Test(
        "of aria2 may not ask for what is not done here: it is told what to use instead",
        arguments: [
            ("all-proxy http-proxy https-proxy all-proxy-user https-proxy-passwd", "use --proxy"),
            ("ftp-proxy ftp-user ftp-passwd", "only http and https are fetched"),
            ("no-proxy", "use the variable no_proxy"), ("dry-run", "use --dry-run"), ("pause", "use --start-paused"),
            ("conditional-get", "use --refresh"),
            ("hash-check-only", "give a checksum: what is there is checked"),
            ("parameterized-uri", "write the URLs out"), ("select-file index-out", "torrents are not fetched"),
        ])
    func refused(_ names: String, _ advice: String) throws {
        for name in names.split(separator: " ") {
            let found = try read(["http://h/a\n \(name)=x\n"])
            #expect(found.complaints == ["list:2: '\(name)' of aria2 is not for Whirl's lists; \(advice)"])
        }
    }

    @Test(
        "of aria2 may ask for what is near an option here: that is told",
        arguments: [
            ("allow-overwrite auto-file-renaming", "; see --on-exists"), ("connect-timeout", "; see --connect-timeout"),
            ("continue always-resume", "; see --resume"), ("lowest-speed-limit timeout", "; see --idle-timeout"),
            ("max-connection-per-server", "; see --jobs-per-host"),
            ("max-download-limit", "; see --limit-rate-per-task"), ("max-tries retry-wait", "; see --retries"),
            ("no-netrc", "; see --netrc"), ("remote-time", "; see --remote-time"), ("split use-head seed-time", ""),
        ])
    func others(_ names: String, _ advice: String) throws {
        for name in names.split(separator: " ") {
            let found = try read(["http://h/a\n \(name)=x\n"])
            #expect(
                found.warnings == ["list:2: '\(name)' of aria2 has no meaning here and is passed over\(advice)"])
        }
    }

    @Test(
        "of aria2 that is wrong is told with the line of the option",
        arguments: [
            ("all-proxy=http://me:secret@p/", "'all-proxy' of aria2 is not for Whirl's lists; use --proxy"),
            ("pause=true", "'pause' of aria2 is not for Whirl's lists; use --start-paused"),
            ("otu=x", "'otu' is not an option of aria2 that Whirl knows; did you mean out?"),
            ("out=", "out= has no value; write one behind it, or leave it out"),
            ("out=http://h/", "out=: 'http://h/' is a URL; here goes the path of a file or folder"),
            ("checksum=sha-256=1", "checksum=: '1' is not a sha256; it has 64 hexadecimal digits"),
            ("checksum=1", "checksum=: '1' is not a checksum; write it as sha-256=HEX"),
            ("header=secret", "header=: there is no colon; write it as 'Name: value'"),
            ("out=a\n out=b", "out= stands twice; leave one out"),
        ])
    func aria2Mistakes(_ option: String, _ sentence: String) throws {
        let line = option.contains("\n") ? 3 : 2
        let found = try read(["http://h/a\n \(option)\n split=1\nhttp://h/b\n"])
        #expect(found.complaints == ["list:\(line): \(sentence)"])
        #expect(found.requests.map(\.url) == ["http://h/b"], "the next is right")
    }

    @Test("that comes slowly waits with a URL only once there have been options, or where it is said to be aria2's")
    func streams() throws {
        let early = try read(["http://h/a\n", " out=x\n", "http://h/b\n", " out=y\n"], isWhole: false)
        #expect(early.requests.map(\.destination) == [.suggested, .path("y")])
        #expect(
            early.complaints == [
                "list:2: is an option of a URL above it, and there is none, or it has begun already; "
                    + "with --input-format aria2 a URL waits for its options"
            ])
        for chunks in [
            ["http://h/a\n out=x\nhttp://h/b\n", " out=y\n"], ["http://h/a\n", " out=x\n", "http://h/b\n out=y"],
        ] {
            let format: ListFormat = chunks.count == 2 ? .auto : .aria2
            let found = try read(chunks, format, isWhole: false)
            #expect(found.requests.map(\.destination) == [.path("x"), .path("y")] && found.complaints.isEmpty)
        }
    }

    // MARK: digests

    @Test("of digests has the names that sha256sum and its like write")
    func sums() throws {
        let found = try read(
            [
                """
                \(Self.md5)  a b%.iso
                \(Self.sha1) *./d/ä#?.bin\r
                MD5 (c (1).txt) = \(Self.md5.uppercased())
                SHA1(e)= \(Self.sha1)
                \\\(Self.md5)  back\\\\slash

                # a comment
                SHA2-256(x)= \(String(repeating: "0", count: 64))
                """
            ], base: "https://h/pub?key=1#f")
        #expect(found.complaints.isEmpty)
        #expect(
            found.requests.map(\.url) == [
                "https://h/pub/a%20b%25.iso?key=1", "https://h/pub/d/%C3%A4%23%3F.bin?key=1",
                "https://h/pub/c%20(1).txt?key=1", "https://h/pub/e?key=1", "https://h/pub/back%5Cslash?key=1",
                "https://h/pub/x?key=1",
            ])
        #expect(found.requests[1].destination == .path("d/ä#?.bin"))
        #expect(found.requests[4].destination == .path("back\\slash"))
        #expect(found.requests.map { $0.digests.keys.first } == [.md5, .sha1, .md5, .sha1, .md5, .sha256])
        #expect(found.requests[2].digests == [.md5: Self.md5])
    }

    @Test("of digests may be signed: the armour is passed over, and told")
    func signed() throws {
        let text = """
            -----BEGIN PGP SIGNED MESSAGE-----
            Hash: SHA256

            \(Self.md5)  a
            - \(Self.md5)  b
            -----BEGIN PGP SIGNATURE-----

            iQIzBAEBCAAdFiEE
            -----END PGP SIGNATURE-----
            """
        let found = try read([text], base: "http://h/")
        #expect(found.requests.map(\.url) == ["http://h/a", "http://h/b"] && found.complaints.isEmpty)
        #expect(found.warnings == ["list:1: the signature is not checked"])
    }

    @Test(
        "of digests that is wrong is told with the line",
        arguments: [
            (
                "x  y",
                "is neither 'DIGEST  NAME' nor 'SHA256 (NAME) = DIGEST'; digests are those of MD5, SHA1, SHA224, SHA256, SHA384, SHA512"
            ),
            ("SHA256 (a) = 1", "'1' is not a sha256; it has 64 hexadecimal digits"),
            ("\(md5)  ../a", "'../a' leads out of the folder, or names no file; take the line out"),
            ("\(md5)  a/../../b", "'a/../../b' leads out of the folder, or names no file; take the line out"),
            ("\(md5)  /etc/passwd", "'/etc/passwd' leads out of the folder, or names no file; take the line out"),
            ("\(md5)  a/", "'a/' leads out of the folder, or names no file; take the line out"),
            ("\(md5)  -", "has the digest of a standard input, not of a file; take the line out"),
            ("\(md5)  ", "names no file; write 'DIGEST  NAME'"),
            ("\\\(md5)  a\\nb", "'a\\u{a}b' has a control character; take the line out"),
            ("\\\(md5)  a\\x", "the name has a \\ that stands for nothing; write it as \\\\"),
        ])
    func sumMistakes(_ line: String, _ sentence: String) throws {
        let found = try read(["\(Self.md5)  right\n\(line)\n"], base: "http://h/")
        #expect(found.complaints == ["list:2: \(sentence)"] && found.requests.count == 1)
    }

    @Test("of digests needs the URL of the folder")
    func base() throws {
        let complaint = "list:1: has names, not URLs; say where the files are with --base-url URL"
        #expect(try read(["\(Self.md5)  a\n"]).complaints == [complaint])
        let wrong = Samples.complaint { () throws(CommandError) in try BaseURL("example.org") }
        #expect(wrong == "'example.org' is not the URL of a folder, such as https://example.org/pub/")
    }

    // MARK: JSON Lines

    @Test("of JSON objects has one a line")
    func jsonLines() throws {
        let found = try read(["{\"url\":\"http://h/a\",\"size\":1}\r\n\n[1]\n{\"url\": 1}\n{\n"])
        #expect(found.requests.map(\.url) == ["http://h/a"])
        #expect(
            found.complaints == [
                #"list:3: is an array; it must be an object, such as {"url": "https://example.org/a"}"#,
                "list:4: 'url' must be a string, not a number",
                "list:5: not JSON at column 2: a name in quotes should be there; write one whole value a line",
            ])
    }
}
