#if Curl
import Testing
import WhirlLoopback

@Suite("What is wrong with what it is given is told", .timeLimit(.minutes(2))) struct WrongInputTests {
    private static let digest = String(repeating: "a", count: 64)
    private static let url = "http://127.0.0.1:9/a"

    /// Runs it beside one file, which alone is there afterwards.
    private func expect(
        _ sentence: String, _ words: [String], file: String = "list", _ bytes: [UInt8] = [],
        environment: [String: String] = [:]
    ) async throws {
        let folder = try TemporaryFolder()
        folder.write(file, bytes)
        let run = try await Program.run(Program.whirl, words, environment: environment, folder: folder.path)
        #expect(run.exit == 2 && run.output.isEmpty && folder.names == [file])
        #expect(run.complaintText == "whirl: \(sentence)\n")
    }

    @Test(
        "with the line of a list",
        arguments: [
            ("", "-i: list: no URL in it; write one a line"),
            ("# x\n \t\n", "-i: list: no URL in it; write one a line"),
            ("\u{FEFF}", "-i: list: no URL in it; write one a line"),
            ("http://h/a\0b\n", "-i: list:1: contains a NUL; save the file as UTF-8 text"),
            ("http://h/a\r\nword\r\n", "list:2: word has no scheme; did you mean https://word?"),
            ("http://h/a\thttp://h/b out=\n", "-i: list:1: out= names no path; write one behind it, or leave it out"),
            (
                "http://h/a otu=b\n",
                "-i: list:1: 'otu' is not known; a URL may be followed by out=PATH, sha256=HEX, size=N and mirrors"
            ),
            ("\"http://h/a\"\n", "list:1: \"http://h/a\" is not a URL; leave out what stands around it"),
            ("<http://h/a>\n", "list:1: <http://h/a> is not a URL; leave out what stands around it"),
            ("<!DOCTYPE html>\n<html>\n", "-i: list:1: is a page, not a list; look what has been saved there"),
            ("<html>\n<body>\n", "-i: list:1: is a page, not a list; look what has been saved there"),
            ("http://h/a size=-1\n", "-i: list:1: size='-1' is not a number of bytes, such as 1048576"),
            (
                "http://h/a size=99999999999999999999\n",
                "-i: list:1: size='99999999999999999999' is not a number of bytes, such as 1048576"
            ),
            ("http://h/a sha256=abc\n", "-i: list:1: 'abc' is not a sha256; it has 64 hexadecimal digits"),
            (
                "http://h/a sha256=\(digest) SHA-256=\(digest)\n",
                "-i: list:1: sha256= stands twice; leave one out"
            ),
            ("magnet:?xt=urn:a\n", "list:1: magnet:?xt=urn:a has the scheme magnet; only http and https are fetched"),
            ("./a\n", "list:1: ./a is the path of a file, not a URL; a list of URLs goes to --input"),
            (
                "http://h/a\nhttp://g/a\n",
                "list:2: http://g/a would be written to a, as another URL is; give one of them another name"
            ),
            (
                "[\"http://h/a\"]\n",
                "-i: list:1: is an array; it must be an object, such as {\"url\": \"https://example.org/a\"}"
            ),
            (
                "[\n{\"url\":\"http://h/a\"}\n]\n",
                "-i: list:1: not JSON at column 2: it ends where a value should be; write one whole value a line"
            ),
            (
                "{\"url\":\"http://h/a\"},\n",
                "-i: list:1: not JSON at column 21: a comma stands after the value; leave it out"
            ),
            (
                "{\n\"url\":\"http://h/a\"}\n",
                "-i: list:1: not JSON at column 2: a name in quotes should be there; write one whole value a line"
            ),
            (
                "{\"url\":\"http://h/a\"}\nhttp://h/b\n",
                "-i: list:2: not JSON at column 1: a value should be there; write one whole value a line"
            ),
            (
                "{\"url\":\"http://h/a\",\"digest\":{}}\n",
                "-i: list:1: 'digest' is not a field; there is url, urls, destination, digests, headers, size; "
                    + "did you mean digests?"
            ),
            (
                "{\"url\":\"http://h/a\",\"url\":\"http://h/b\"}\n",
                "-i: list:1: not JSON at column 26: 'url' stands twice; leave one out"
            ),
            (
                "\(digest)  a\n",
                "-i: list:1: has names, not URLs; say where the files are with --base-url URL"
            ),
            (
                " out=x\nhttp://h/a\n",
                "-i: list:1: is an option of a URL above it, and there is none, or it has begun already; "
                    + "with --input-format aria2 a URL waits for its options"
            ),
            (
                "http://h/a\n outt=x\n",
                "-i: list:2: 'outt' is not an option of aria2 that Whirl knows; did you mean out?"
            ),
            (
                "http://h/a\n xyzzy=x\n", "-i: list:2: 'xyzzy' is not an option of aria2 that Whirl knows; leave it out"
            ),
            ("http://h/a out=b\n out=c\n", "-i: list:2: out=: the URL above it has a name already; leave one out"),
        ])
    func lists(_ text: String, _ sentence: String) async throws {
        try await expect(sentence, ["-i", "list"], Array(text.utf8))
    }

    @Test("with the line of a list, whatever its bytes are")
    func bytes() async throws {
        let said = "-i: list:1: not UTF-8; save the file as UTF-8"
        for bytes: [UInt8] in [
            Array("http://h/".utf8) + [0xFF, 0x0A], [0xFF, 0xFE, 0x68, 0, 0x0A, 0], [0x1F, 0x8B, 0x08, 0, 0],
        ] {
            try await expect(said, ["-i", "list"], bytes)
        }
        let long = Array("http://h/".utf8) + [UInt8](repeating: 0x61, count: 1 << 20) + [0x0A]
        try await expect("-i: list:1: longer than 64 KiB; write one URL a line", ["-i", "list"], long)
    }

    @Test(
        "with the line of digests",
        arguments: [
            (
                "\(digest)b  a\n",
                "-i: list:1: is neither 'DIGEST  NAME' nor 'SHA256 (NAME) = DIGEST'; digests are those of MD5, SHA1, "
                    + "SHA224, SHA256, SHA384, SHA512"
            ),
            ("\(digest)  \n", "-i: list:1: names no file; write 'DIGEST  NAME'"),
            (
                "\(digest)  ../../etc/passwd\n",
                "-i: list:1: '../../etc/passwd' leads out of the folder, or names no file; take the line out"
            ),
            (
                "\(digest)  a\n\(digest)  a\n",
                "list:2: http://h/a would be written to a, as another URL is; give one of them another name"
            ),
        ])
    func digests(_ text: String, _ sentence: String) async throws {
        let words = ["-i", "list", "--input-format", "sums", "--base-url", "http://h/"]
        try await expect(sentence, words, Array(text.utf8))
    }

    @Test(
        "with the line and column of a configuration",
        arguments: [
            ("job: 4\n", "1:1: 'job' is not a setting; did you mean jobs?"),
            ("xyzzy: 4\n", "1:1: 'xyzzy' is not a setting; see whirl --help all"),
            ("jobs: -4\n", "1:7: jobs: '-4' is not a whole number from 1 to 1000"),
            ("jobs: 4.5\n", "1:7: jobs: '4.5' is not a whole number from 1 to 1000"),
            (
                "jobs: 1\n\tx: y\n",
                "2:1: found a tab character that violates indentation; a setting is written as 'key: value'"
            ),
            ("jobs: 4\njobs: 5\n", "2:1: jobs stands here and in line 1; one must go"),
            ("quiet: perhaps\n", "1:8: quiet: 'perhaps' is neither true nor false"),
            ("- jobs\n", "1:1: a configuration is a mapping, such as 'jobs: 4'"),
            ("jobs = 4\n", "1:1: a configuration is a mapping, such as 'jobs: 4'"),
            ("user-agent: a\0b\n", "1:14: control characters are not allowed; save the file as UTF-8"),
            ("jobs: &a 4\n", "1:7: an anchor (&) is not for a configuration; write the value itself"),
            (
                "user-agent: \"x\n",
                "2:1: found unexpected end of stream; a setting is written as 'key: value'"
            ),
            ("jobs: 4\n---\njobs: 5\n", "2:1: a second document; leave out what follows ---"),
            ("jobs:\n", "1:6: jobs has no value; leave the line out for the default"),
            ("limit_rate: 5k\n", "1:1: 'limit_rate' is not a setting; did you mean limit-rate?"),
            ("version: true\n", "1:1: version can't be set in a file; use --version"),
        ])
    func configurations(_ text: String, _ sentence: String) async throws {
        try await expect("whirl.yaml:\(sentence)", [Self.url], file: "whirl.yaml", Array(text.utf8))
    }

    @Test(
        "with the option",
        arguments: [
            (["-i", "none"], "-i: none: No such file or directory; look whether the name is right"),
            (["-i", "."], "-i: .: Is a directory; name a file"),
            (["-i", "/proc/1/mem"], "-i: /proc/1/mem: Permission denied; look whose it is, and who may read it"),
            (["-i", "http://h/list"], "-i: 'http://h/list' is a URL; here goes the path of a file or folder"),
            (["list"], "list is a file, not a URL; to fetch the URLs that stand in it write -i list"),
            (["-j"], "-j needs a value: -j N"), (["-jq", "URL"], "-j: 'q' is not a whole number from 1 to 1000"),
            (["--jobs", "4", "--jobs=5", "URL"], "--jobs: given twice, with different values; leave one out"),
            (
                ["--limit-rate", "5 k", "URL"],
                "--limit-rate: '5 k' is not a number of bytes per second, such as 500k or 1.5M"
            ),
            (
                ["--connect-timeout", "nan", "URL"],
                "--connect-timeout: 'nan' is not a number of seconds from 0.001 to 86400, such as 2.5"
            ),
            (["--checksum", digest, "URL"], "--checksum: '\(digest)' has no colon; write it as sha256:HEX"),
            (["--shard", "3/2", "URL"], "--shard: '3/2' is no part; there are 1/2 to 2/2"),
            (["-t", "wget", "URL"], "-t: 'wget' is not a transport; there is curl, urlsession"),
            (
                ["-f", "ncurses", "URL"],
                "-f: the dashboard can't be shown: there is no terminal here (/dev/tty can't be opened); use -f log"
            ),
            (["--events", "fd:x", "URL"], "--events: fd:x is no descriptor; write fd: and a number, such as fd:3"),
            (
                ["--events", "/none/x", "URL"],
                "--events: /none/x can't be written: No such file or directory; choose another place"
            ),
            (
                ["--log-file", "/none/x", "URL"],
                "--log-file: /none/x can't be written: No such file or directory; choose another place"
            ),
            (["--events", "-", "URL"], "--events: '-' is no file; write fd:1 for stdout"),
            (
                ["--cacert", "none", "URL"],
                "the certificates in none can't be read: No such file or directory; look whether --cacert is right"
            ),
            (
                ["--cacert", ".", "URL"],
                "the certificates in . can't be read: Is a directory; look whether --cacert is right"
            ),
            (["--cacert", "list", "URL"], "list has no certificates in it; --cacert takes a file of PEM"),
            (
                ["--resolve", "h:1", "URL"],
                "'h:1' is no address for --resolve; write it as HOST:PORT:ADDRESS, such as a.test:443:127.0.0.1"
            ),
            (
                ["--resolve", "h:1:x", "URL"],
                "'h:1:x' is no address for --resolve; after h:1: must come an IPv4 or IPv6 address"
            ),
            (["--netrc-file", "none", "URL"], "none: No such file or directory; look whether the name is right"),
            (
                ["--control", "unix:", "URL"],
                "--control: unix: names no path; write it as unix:run.socket"
            ),
            (
                ["--control", "fd:x", "URL"],
                "--control: fd:x is no descriptor; write fd: and a number, such as fd:3"
            ),
            (
                ["--control", "unix:" + String(repeating: "x", count: 200), "URL"],
                "--control: the socket \(String(repeating: "x", count: 200)) can't be made: its path may have at most 107 "
                    + "bytes; a relative one is shorter"
            ),
            (
                ["--journal", "list", "URL"],
                "--journal: list is no journal: it does not begin as a stream of whirl does; name another file"
            ),
            (
                ["--dry-run", "--journal", "list", "URL"],
                "--journal: list is no journal: it does not begin as a stream of whirl does; name another file"
            ),
            (
                ["replay", "list"],
                "list is no stream of whirl's: it has no record of type run; name what -f jsonl or --events has written"
            ),
            (
                ["report", "list"],
                "list is no stream of whirl's: it has no record of type run; name what -f jsonl or --events has written"
            ),
            (
                ["replay", "--speed", "x", "list"],
                "--speed: 'x' is neither max nor a number from 0.01 to 1000, such as 10"
            ),
        ])
    func options(_ words: [String], _ sentence: String) async throws {
        try await expect(sentence, words.map { $0 == "URL" ? Self.url : $0 }, Array("x\n".utf8))
    }

    @Test(
        "with the variable",
        arguments: [
            ("WHIRL_JOBS", "WHIRL_JOBS: 'x' is not a whole number from 1 to 1000"),
            ("WHIRL_JOB", "'WHIRL_JOB' is not a variable of whirl; did you mean WHIRL_JOBS?"),
        ])
    func variables(_ name: String, _ sentence: String) async throws {
        try await expect(sentence, [Self.url], environment: [name: "x"])
    }

    @Test("where a standard stream is closed")
    func closed() async throws {
        for (redirection, words, sentence) in [
            ("<&-", "-i -", "-i: stdin is closed; name a file"), ("<&-", "replay -", "stdin is closed; name a file"),
            (
                ">&-", "-o - \(Self.url)",
                "-o -: stdout is closed; write it to a file, or use another descriptor"
            ),
            ("", "-i - -i -", "-i: stdin can be read once; give -i - once"),
        ] {
            let run = try await Program.run("bash", ["-c", "\(Program.whirl) \(words) \(redirection)"])
            #expect(run.complaintText == "whirl: \(sentence)\n")
        }
        let name = try await Program.run("bash", ["-c", "\(Program.whirl) $'http://h/\\xff'"])
        #expect(
            name.complaintText
                == "whirl: 'http://h/\u{FFFD}' is not UTF-8, as all words have to be; rename the file, or percent-encode the URL\n"
        )
    }
}
#endif
