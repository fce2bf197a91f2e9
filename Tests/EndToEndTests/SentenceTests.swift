import Testing
import WhirlLoopback

@Suite("What the command says", .timeLimit(.minutes(2))) struct SentenceTests {
    #if Curl
    @Test(
        "of wrong usage is one sentence on stderr with exit 2, and nothing is touched",
        arguments: [
            (["-q"], "there is no URL; give one, or a list with -i FILE"),
            (["-i", "-", "-i", "-"], "-i: stdin can be read once; give -i - once"),
            (
                ["--proxy", "ftp://h:1", "URL"],
                "the proxy's URL must begin with one of http, https, socks4, socks4a, socks5, socks5h"
            ),
            (
                ["--proxy", "http://me:canary@h", "URL"],
                "the proxy's URL needs a host and a port; write it as http://HOST:PORT"
            ),
            (["--proxy", "http://h:1/x", "URL"], "the proxy's URL ends with its port; write it as http://HOST:PORT"),
            (["--proxy", "http://[", "URL"], "the proxy's URL makes no sense; write it as http://HOST:PORT"),
            (
                ["--resolve", "x", "URL"],
                "'x' is no address for --resolve; write it as HOST:PORT:ADDRESS, such as a.test:443:127.0.0.1"
            ),
            (["-o", "x/", "URL"], "the output x/ names no file; a folder goes to --directory"),
            (["--config", "none.yaml", "URL"], "none.yaml: No such file or directory; look whether the name is right"),
            (["completions"], "whirl completions needs bash, zsh or fish: whirl completions bash|zsh|fish"),
            (["--help", "jbos"], "there is no help about 'jbos'; did you mean jobs?"),
        ])
    func usage(_ words: [String], _ sentence: String) async throws {
        let server = try LoopbackServer(.text("x"))
        defer { server.stop() }
        let folder = try TemporaryFolder()
        let run = try await Program.run(
            Program.whirl, words.map { $0 == "URL" ? server.url("/a") : $0 }, folder: folder.path)
        #expect(run.exit == 2 && run.complaintText == "whirl: \(sentence)\n", "\(run.complaintText)")
        #expect(run.output.isEmpty && folder.names.isEmpty && server.record.requests.isEmpty)
    }

    @Test("of a failure names the cause in words, with its code and the exit code")
    func failures() async throws {
        let server = try LoopbackServer([
            "/missing": .text("no", status: "404 Not Found"), "/nowhere": .bodiless("302 Found"),
            "/ftp": .redirect(to: "ftp://h/x"), "/lengths": .contentLength("7x"), "/big": .bytes(2049),
            "/silent": .silent, "/short": .short(10, of: 20),
        ])
        defer { server.stop() }
        let expected = [
            "/missing": "the server answered 404 Not Found; look whether the URL is right",
            "/nowhere": "the server answered 302 without saying where to go; look whether the URL is right",
            "/ftp": "the server redirects to ftp://h/x; only http and https are followed",
            "/silent": "127.0.0.1 did not answer within 2 s (--idle-timeout); try again later, or allow more time",
        ]
        let folder = try TemporaryFolder()
        let run = try await Program.run(
            Program.whirl,
            ["-f", "jsonl", "--retries", "0", "--idle-timeout", "2"] + expected.keys.map { server.url($0) },
            folder: folder.path)
        let stream = try EventStream(run.output)
        var urls: [Int: String] = [:]
        for record in stream.all("created") {
            if let task = record["task"]?.integer { urls[task] = record["url"]?.string }
        }
        for record in stream.all("failed") {
            let url = urls[record["task"]?.integer ?? 0] ?? ""
            let path = "/" + (url.split(separator: "/").last ?? "")
            #expect(record["error"]?["message"]?.string == expected[path], "\(path)")
        }
        #expect(run.exit == 1 && stream.all("failed").count == expected.count)
    }

    @Test("of files that are in the way names them")
    func files() async throws {
        let server = try LoopbackServer(.text("hello"))
        defer { server.stop() }
        let folder = try TemporaryFolder()
        _ = try await Program.run(
            "bash", ["-c", "mkdir folder part.part; echo x >there; ln -s nothing link"], folder: folder.path)
        for (words, sentence) in [
            (["-o", "folder"], "folder is a folder; to put the file into it use -d, or give it another name"),
            (["-o", "there", "--on-exists", "fail"], "there exists; take it away, or choose another --on-exists"),
            (["-o", "link"], "link is a link to nothing; --on-exists overwrite replaces it"),
            (["-o", "part"], "part.part is in the way: it is no regular file; take it away, or choose another name"),
        ] {
            let run = try await Program.run(
                Program.whirl, ["-f", "jsonl", server.url("/a")] + words, folder: folder.path)
            let failed = try EventStream(run.output).all("failed")
            #expect(failed.map { $0["error"]?["message"]?.string } == [sentence], "\(run.complaintText)")
            #expect(run.exit == 3)
        }
    }

    @Test("in the first minute: ten lines without arguments, exit 2, and help of at most 60 lines")
    func first() async throws {
        let run = try await Program.run(Program.whirl, [])
        #expect(run.exit == 2 && run.output.isEmpty && run.complaintText.split(separator: "\n").count >= 8)
        #expect(run.complaintText.contains("whirl --help"))
        let help = try await Program.run(Program.whirl, ["--help"])
        #expect(help.exit == 0 && help.outputText.split(separator: "\n", omittingEmptySubsequences: false).count <= 61)
    }
    #endif

    @Test(
        "of a standard output that takes nothing is exit 3, and of a reader that is gone nothing",
        arguments: ["--help", "--version", "config", "plugins", "completions bash", "config schema"])
    func full(_ words: String) async throws {
        let full = try await Program.run("bash", ["-c", "\(Program.whirl) \(words) >/dev/full"])
        let sentence = "the standard output can't be written: No space left on device; write it to another place"
        #expect(full.exit == 3 && full.complaintText == "whirl: \(sentence)\n", "\(full.complaintText)")
        let gone = try await Program.run(
            "bash", ["-c", "exec 3> >(true); wait $!; \(Program.whirl) \(words) >&3; echo $? >&2"])
        #expect(gone.complaintText == "141\n")
    }

    @Test("config says what is in force, and check what is wrong, all of it")
    func config() async throws {
        let folder = try TemporaryFolder()
        folder.write("whirl.yaml", "transport: crul\nproxy: http://h:1\nretries: x\nfrontend: lgo\n")
        let wrong = try await Program.run(Program.whirl, ["config", "check"], folder: folder.path)
        #expect(wrong.exit == 2 && wrong.output.isEmpty)
        #expect(
            wrong.complaintText == """
                whirl: whirl.yaml:1:12: transport: 'crul' is not a transport; there is curl, urlsession; did you mean curl?
                whirl: whirl.yaml:2:1: proxy is not for the file of a project, as it decides whom requests go through and \
                who is trusted; set it in the user's file or with --proxy
                whirl: whirl.yaml:3:10: retries: 'x' is not a whole number from 0 to 1000000
                whirl: whirl.yaml:4:11: frontend: 'lgo' is not a frontend; there is auto, none, ncurses, log, jsonl; did you \
                mean log?

                """)
        folder.write("whirl.yaml", "jobs: 4\n")
        let right = try await Program.run(
            Program.whirl, ["config", "--explain"], environment: ["WHIRL_JOBS": "5"], folder: folder.path)
        #expect(right.exit == 0 && right.complaints.isEmpty)
        #expect(right.outputText.contains("jobs: 5  # WHIRL_JOBS; over whirl.yaml:1:7: 4; default: 8\n"))
        let ignored = try await Program.run(
            Program.whirl, ["config", "--no-config"], folder: folder.path)
        #expect(ignored.outputText.contains("jobs: 8\n"))
    }

    @Test("a secret from a command is had where whoever starts whirl ignores that children end")
    func childless() async throws {
        let server = try LoopbackServer(.text("x"))
        defer { server.stop() }
        let folder = try TemporaryFolder()
        folder.write("c.yaml", "user: {command: 'echo me:canary'}\n")
        _ = try await Program.run("chmod", ["600", "c.yaml"], folder: folder.path)
        let command = "trap '' CHLD; exec \(Program.whirl) -f none --config c.yaml \(server.url("/a"))"
        let run = try await Program.run("bash", ["-c", command], folder: folder.path)
        #expect(run.exit == 0 && server.record.requests.map { $0["Authorization"] } == ["Basic bWU6Y2FuYXJ5"])
    }

    @Test("a secret from a file or a command goes to the server and nowhere else", arguments: transports)
    func secrets(_ transport: String) async throws {
        let server = try LoopbackServer(.text("x"))
        defer { server.stop() }
        let folder = try TemporaryFolder()
        folder.write("token", "canary\n")
        folder.write(
            "c.yaml",
            """
            user: {prefix: 'me:', command: echo canary}
            header: {prefix: 'X-Token: ', file: token}
            """)
        _ = try await Program.run("chmod", ["600", "token"], folder: folder.path)
        let words = ["-t", transport, "-f", "log", "-v", "--events", "e", "--config", "c.yaml", server.url("/a")]
        let run = try await Program.run(Program.whirl, words, folder: folder.path)
        #expect(run.exit == 0, "\(run.complaintText)")
        #expect(server.record.requests.map { $0["Authorization"] } == ["Basic bWU6Y2FuYXJ5"])
        #expect(server.record.requests.map { $0["X-Token"] } == ["canary"])
        let text = run.outputText + run.complaintText + String(decoding: folder.read("e") ?? [], as: UTF8.self)
        #expect(!text.contains("canary") && !text.contains("bWU6"))
        let shown = try await Program.run(
            Program.whirl, ["config", "--explain", "--config", "c.yaml"], folder: folder.path)
        #expect(shown.exit == 0 && !shown.outputText.contains("canary"))
    }
}
