import Glibc
import Testing
import WhirlCore
import WhirlInMemory
import WhirlLoopback

@testable import WhirlSession

@Suite("The sentence of a failed transfer says what is wrong and what to do") struct SentenceTests {
    private typealias Configure = (inout SessionConfiguration) -> Void

    private func sentence(
        after seconds: Double = 0, size: Int64? = nil, digests: [DigestAlgorithm: String] = [:],
        _ configure: Configure = { _ in }, scheme: String = "http", there: (Folder) -> Void = { _ in },
        _ script: @escaping @Sendable (ExchangeRequest, Int) -> [Step]
    ) async throws -> String? {
        let scene = try Scene(configure: configure, script)
        there(scene.folder)
        let request = TransferRequest("\(scheme)://h.test/a", digests: digests, size: size)
        let task = try scene.session.add(request)
        scene.transport.run()
        scene.pass(seconds)
        return await task.outcome()?.error?.message.replacing(scene.folder.path + "/", with: "")
    }

    @Test("when the server takes too long")
    func time() async throws {
        let connecting = try await sentence(after: 0.7, { $0.connectTimeout = 0.5 }) { _, _ in
            [.phase(.connecting), .wait(Latch())]
        }
        #expect(
            connecting
                == "no connection to h.test within 0.5 s (--connect-timeout); try again later, or allow more time")
        let silent = try await sentence(after: 0.7, { $0.idleTimeout = 0.5 }) { _, _ in
            [.phase(.waiting), .wait(Latch())]
        }
        #expect(silent == "h.test did not answer within 0.5 s (--idle-timeout); try again later, or allow more time")
        let stalled = try await sentence(after: 0.7, { $0.idleTimeout = 0.5 }) { _, _ in [.whole(10), .wait(Latch())] }
        #expect(stalled == "no byte came for 0.5 s (--idle-timeout); try again later, or allow more time")
        let late = try await sentence(after: 1.2, { $0.deadline = 1 }) { _, _ in [.whole(10), .wait(Latch())] }
        #expect(late == "the run was to end within 1 s; raise --deadline")
        let never = try await sentence(after: 9, { $0.idleTimeout = 60 }) { _, _ in
            [.head(301, [HTTPField("Content-Length", "9")]), .wait(Latch())]
        }
        #expect(never == "the server answered 301 without saying where to go; look whether the URL is right")
    }

    @Test("when the answer makes no sense, or is not all of it")
    func answers() async throws {
        let parts: [(String, [Step])] = [
            ("the server sent Content-Length: 1, 2", [.head(200, [HTTPField("Content-Length", "1, 2")])]),
            ("the server sent a part (206) of what was asked for whole", .status(206)),
            ("the server sends more than the 2 bytes it told of", [.whole(2), .body([1, 2, 3])]),
        ]
        for (text, steps) in parts {
            let said = try await sentence { _, _ in steps }
            #expect(said == text + "; look whether a web server is there, or tell who runs it")
        }
        let short = try await sentence { _, _ in [.whole(9), .body([1, 2])] }
        #expect(short == "the body ended after 2 of 9 bytes; try again later")
        let nothing = try await sentence { _, _ in [] }
        #expect(nothing == "the server closed the connection before it had answered; try again later")
        let ended = try await sentence { _, _ in [.end(.cancelled)] }
        #expect(
            ended
                == "the transport ended an exchange that nobody cancelled; please report it, with what --events FILE writes"
        )
    }

    @Test("when a redirect leads nowhere")
    func redirects() async throws {
        let many = try await sentence({ $0.redirectLimit = 3 }) { _, _ in .redirect("/b") }
        #expect(many == "the server redirects more than 3 times; look whether the URL is right")
        let open = try await sentence(scheme: "https") { _, _ in .redirect("http://h.test/b") }
        #expect(
            open == "the server redirects from https to http://h.test/b; fetch that if it need not be secret")
        let broken = try await sentence { _, _ in .redirect("http://[") }
        #expect(broken == "the server redirects to http://[, which is not a URL; look whether the URL is right")
        let other = try await sentence { _, _ in .redirect("ftp://h/a") }
        #expect(other == "the server redirects to ftp://h/a; only http and https are followed")
    }

    @Test("when it is another file than was expected")
    func expectations() async throws {
        let large = try await sentence({ $0.maxSize = 2 }) { _, _ in .file([1, 2, 3]) }
        #expect(large == "the file has 3 bytes or more, and 2 are allowed; raise --max-size to have it")
        let size = try await sentence(size: 2) { _, _ in .file([1, 2, 3]) }
        #expect(size == "the file has 3 bytes or more, not 2; look whether that size is right")
        let (found, wanted) = ("55a54008ad1ba589aa210d2629c1df41", String(repeating: "0", count: 32))
        let digest = try await sentence(digests: [.md5: wanted]) { _, _ in .file([1]) }
        #expect(
            digest
                == "the bytes have the md5 \(found), not \(wanted); look for the right digest, or for another place that has the file"
        )
        let served = try await sentence { _, _ in
            [
                .head(
                    200,
                    [
                        HTTPField("Content-Length", "1"),
                        HTTPField("Repr-Digest", "sha-256=:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=:"),
                    ]), .body([1]),
            ]
        }
        #expect(
            served?.hasSuffix(
                "\(wanted), as the server says; look for the right digest, or for another place that has the file")
                == true)
    }

    @Test("when it must go on where it stopped and can't", arguments: [false, true])
    func strict(_ hasState: Bool) async throws {
        let said = try await sentence(
            { $0.resume = .strict },
            there: { folder in
                folder.write("a.part", [1, 2, 3])
                if hasState { folder.write("a.part.state", "{}") }
            },
            { _, _ in .file([1]) })
        let why =
            hasState ? "what is there can't be continued (damaged)" : "nothing proves that the file is still the same"
        #expect(said == why + "; --resume auto would start over")
        for (reason, why) in [
            ("changed", "the file has changed at the server"),
            ("ranges_ignored", "the server sends the file from its beginning only"),
        ] {
            #expect(Attempt.changed(reason).message == why + "; --resume auto would start over")
        }
    }

    @Test("when something is in the way")
    func files() async throws {
        let fail: Configure = { $0.onExists = .fail }
        let cases: [(String, Configure, (Folder) -> Void)] = [
            ("a is a folder; to put the file into it use -d, or give it another name", { _ in }, { $0.make("a") }),
            ("a exists; take it away, or choose another --on-exists", fail, { $0.write("a", [1]) }),
            (
                "a.part is in the way: it is no regular file; take it away, or choose another name", { _ in },
                { $0.make("a.part") }
            ),
            (
                "a is a link to nothing; --on-exists overwrite replaces it", { _ in },
                { unsafe symlink("nothing", $0.path + "/a") }
            ),
            (
                "cannot open x/a.part: Not a directory; choose another place with -o or -d",
                { $0.directory += "/x" }, { $0.write("x", [1]) }
            ),
        ]
        for (text, configure, there) in cases {
            let said = try await sentence(configure, there: there) { _, _ in .file([1]) }
            #expect(said == text)
        }
        let other = try await sentence(size: 3, there: { $0.write("a", [1]) }, { _, _ in .file([1]) })
        #expect(other == "a is there with 1 bytes, not 3; --on-exists overwrite fetches it again")
        let wanted = String(repeating: "0", count: 32)
        let digest = try await sentence(digests: [.md5: wanted], there: { $0.write("a", [1]) }, { _, _ in [] })
        let found = "55a54008ad1ba589aa210d2629c1df41"
        #expect(
            digest
                == "a is there, but the bytes have the md5 \(found), not \(wanted); --on-exists overwrite fetches it again"
        )
    }

    @Test("when another process is writing, or was quicker")
    func others() async throws {
        let folder = try Folder()
        let own = PartFile(folder.path + "/a", from: "http://h/a", onExists: .skip, isDurable: false)
        try own.begin(at: 0, BodyPlan(total: 1))
        let other = PartFile(folder.path + "/a", from: "http://h/a", onExists: .skip, isDurable: false)
        #expect(
            complaint { () throws(TransferError) in try other.begin(at: 0, BodyPlan(total: 1)) }
                == "\(folder.path)/a.part is being written by another process; wait for it, or choose another name")
        folder.write("a", [1])
        #expect(
            complaint { () throws(TransferError) in _ = try own.commit(Finish(path: folder.path + "/a")) }
                == "\(folder.path)/a appeared while it was being fetched; take it away, or the bytes from \(folder.path)/a.part"
        )
        let huge = complaint { () throws(TransferError) in try own.checkSpace(STDIN_FILENO, .max) }
        #expect(huge == nil || huge?.contains(" needs 9223372036854775807 more bytes, and there is room for ") == true)
    }

    @Test("but not because a child has a copy of its descriptor")
    func copies() throws {
        let folder = try Folder()
        let part = folder.path + "/a.part"
        func begin() throws -> PartFile {
            let file = PartFile(folder.path + "/a", from: "http://h/a", onExists: .skip, isDurable: false)
            try file.begin(at: 0, BodyPlan(total: 9))
            return file
        }
        let own = try begin()
        try unsafe own.write([1].span.bytes, isLast: false)
        var there = stat()
        #expect(unsafe lstat(part, &there) == 0)
        let descriptor = TemporaryFolder.names(in: "/proc/self/fd").compactMap { Int32($0) }.first { number in
            var here = stat()
            return unsafe fstat(number, &here) == 0 && here.st_ino == there.st_ino && here.st_dev == there.st_dev
        }
        let copy = dup(try #require(descriptor))
        defer { close(copy) }
        own.close()
        try begin().close()
    }

    @Test("when bytes can't be taken back, or not be written")
    func places() throws {
        let folder = try Folder()
        let path = folder.path + "/f"
        #expect(unsafe mkfifo(path, 0o600) == 0)
        let reader = unsafe open(path, O_RDONLY | O_NONBLOCK)
        let request = TransferRequest("http://h/", to: .path(path))
        let sink = InPlaceFile(try Destination(request, SourceURL(request.url), index: 1, SessionConfiguration()))
        try sink.begin(at: 0, BodyPlan())
        let bytes: [UInt8] = [1]
        try unsafe sink.write(bytes.span.bytes, isLast: false)
        #expect(
            complaint { () throws(TransferError) in try sink.begin(at: 0, BodyPlan()) }
                == "it can't start over: 1 bytes have gone to \(path) already; fetch it to a file")
        close(reader)
        for (number, advice) in [
            (ENOSPC, "No space left on device; make room and start again: it goes on where it stopped"),
            (EACCES, "Permission denied; choose another place with -o or -d"),
            (EIO, "Input/output error; choose another place with -o or -d"),
        ] {
            #expect(fileError(number, "write to", "a").advised.message == "cannot write to a: \(advice)")
        }
    }

    @Test(
        "when a request makes no sense",
        arguments: [
            (TransferRequest(""), "the URL is empty; write it as https://HOST/PATH"),
            (TransferRequest("a b"), "a b has no scheme; did you mean https://a b?"),
            (TransferRequest("?"), "? is not a URL; write it as https://HOST/PATH"),
            (TransferRequest("http://h/\u{1}"), "http://h/\u{1} is not a URL; write it as https://HOST/PATH"),
            (TransferRequest("ftp://h/a"), "ftp://h/a has the scheme ftp; only http and https are fetched"),
            (TransferRequest("http:///a"), "http:///a names no host; did you mean http://a?"),
            (TransferRequest("http://"), "http:// names no host; write it as http://HOST/PATH"),
            (TransferRequest("http://h:0/a"), "http://h:0/a names port 0; ports go from 1 to 65535"),
            (
                TransferRequest("http://h/a", to: .path("x/")),
                "the output x/ names no file; a folder goes to --directory"
            ),
            (
                TransferRequest("http://h/a", to: .template("{name")),
                "the output {name has a { without a }; {{ stands for {"
            ),
            (
                TransferRequest("http://h/a", to: .template("{nam}")),
                "the output {nam} has {nam}; there is {host} {path} {name} {stem} {ext} {index}, and {{ stands for {"
            ),
            (
                TransferRequest("http://h/a", fields: [HTTPField("a b", "c")]),
                "'a b' is no name for a header; a name has letters, digits and hyphens only"
            ),
            (
                TransferRequest("http://h/a", fields: [HTTPField("a", "b\r\n")]),
                "the value of the header a has a line break in it; write it on one line"
            ),
            (
                TransferRequest("http://h/a", fields: [HTTPField("Range", "b")]),
                "the header Range is set by whirl itself; leave it out"
            ),
            (
                TransferRequest("http://h/a", digests: [.md5: "xyz"]),
                "'xyz' is no md5; write its 32 hexadecimal digits"
            ),
        ])
    func requests(_ request: TransferRequest, _ sentence: String) {
        #expect(complaint { () throws(TransferError) in try check([request]) } == sentence)
    }

    @Test("when two URLs are for one file, and when a run takes no more")
    func session() throws {
        #expect(
            complaint { () throws(TransferError) in
                try check([TransferRequest("http://h/a"), TransferRequest("http://g/a")])
            } == "http://g/a would be written to a, as another URL is; give one of them another name")
        #expect(
            throws: TransferError(
                .unsupported, "the transport scripted can't hold a server back; to limit rates choose another with -t")
        ) { _ = try Scene(capabilities: [], configure: { $0.limitRate = 1 }, { _, _ in [] }) }
    }

    @Test("and what is left of an earlier run is told when it is of no use")
    func leftovers() {
        for (flaw, sentence) in [
            (PartState.Flaw.damaged, "s is damaged; its file starts over"),
            (.foreign, "s is not whirl's; its file starts over"),
            (.newer, "s was written by a newer whirl; its file starts over"),
        ] {
            guard case .useless(_, let line) = Leftover(flaw, size: 1, "s", .auto) else {
                Issue.record("\(flaw) is of use")
                continue
            }
            #expect(line == sentence)
        }
    }

    private func check(_ requests: [TransferRequest]) throws(TransferError) {
        var check = RequestCheck()
        for request in requests { try check.admit(request) }
    }

    private func complaint(_ body: () throws(TransferError) -> Void) -> String? {
        do {
            try body()
            return nil
        } catch {
            return error.message
        }
    }
}
