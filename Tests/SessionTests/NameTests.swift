import Glibc
import Synchronization
import Testing
import WhirlCore
import WhirlInMemory
import WhirlLoopback

@testable import WhirlSession

@Suite("Names", .timeLimit(.minutes(1))) struct NameTests {
    @Test(
        "a template's words stand for parts of the URL, made harmless",
        arguments: [
            ("{host}/{path}/{name}", "example.org/a/b/c.tar.gz"), ("{stem}-{index}.{ext}", "c.tar-7.gz"),
            ("{{x}", "{x}"), ("plain", "plain"),
        ])
    func template(_ template: String, _ path: String) throws {
        let source = try SourceURL("http://example.org/a/b/c.tar.gz?x=1")
        #expect(try NameTemplate.fill(template, source, index: 7) == path)
    }

    @Test("no traversal comes through a template")
    func traversal() throws {
        let source = try SourceURL("http://example.org/%2e%2e/..%2f/.ssh/x%2fy")
        let path = try NameTemplate.fill("{path}/{name}", source, index: 1)
        #expect(!path.split(separator: "/").contains { $0.hasPrefix(".") })
    }

    @Test("a word that is none, and a brace that is not closed, are refused", arguments: ["{nmae}", "a{name", "{}"])
    func wrong(_ template: String) throws {
        let request = TransferRequest("http://h.test/a", to: .template(template))
        #expect(throws: TransferError.self) { try check([request]) }
    }

    @Test(
        "filename* wins, quotes and escapes are understood",
        arguments: [
            (#"attachment; filename="a b.txt""#, "a b.txt"), ("attachment; filename=a.txt; x=y", "a.txt"),
            (#"attachment; filename="a.txt"; filename*=UTF-8''%e2%82%ac%20rates"#, "€ rates"),
            (#"attachment; filename*=iso-8859-1'en'%A3%20rates"#, "£ rates"),
            (#"attachment; filename="a\"b;c""#, "a\"b;c"), ("inline; FileName = x", "x"), ("attachment", nil),
            ("attachment; filename*=UTF-8''%ff; filename=b", "b"), (#"filename="x""#, nil), ("", nil),
        ] as [(String, String?)])
    func disposition(_ value: String, _ name: String?) {
        #expect(ContentDisposition.fileName(value) == name)
    }

    @Test("names from outside are never another system's devices", arguments: ["CON", "nul.txt", "com1", "LPT9.x"])
    func reserved(_ name: String) {
        #expect(FileName.safe(name) == "_" + name && FileName.safe("console") == "console")
    }

    private func remote(
        _ backend: Backend, _ field: String, _ folder: Folder, onExists: SessionConfiguration.OnExists = .skip
    ) async throws -> (TaskOutcome?, ServerRecord) {
        let server = try LoopbackServer(.text("new", fields: ["Content-Disposition: attachment; \(field)"]))
        defer { server.stop() }
        var configuration = SessionConfiguration(in: folder)
        configuration.usesRemoteName = true
        configuration.onExists = onExists
        let session = try Session(transport: backend.make(), configuration: configuration)
        let task = try session.add(TransferRequest(server.url("/get?id=1")))
        _ = await session.finish()
        return (task.life.snapshot.outcome, server.record)
    }

    @Test(
        "the server's name is used when asked for, without folders, dots or control characters",
        arguments: Backend.allCases,
        [
            ("filename=a.txt", "a.txt"), ("filename=\"../../etc/passwd\"", "_._.._etc_passwd"),
            ("filename=.bashrc", "_bashrc"), ("filename*=UTF-8''a%0ab", "a_b"),
        ])
    func remoteName(_ backend: Backend, _ words: (field: String, name: String)) async throws {
        let folder = try Folder()
        let (outcome, _) = try await remote(backend, words.field, folder)
        guard case .completed(let completion) = outcome else {
            Issue.record("\(String(describing: outcome))")
            return
        }
        #expect(folder.names == [words.name] && completion.destination == "\(folder.path)/\(words.name)")
    }

    @Test("a file of the server's name is skipped, or kept beside the new one", arguments: Backend.allCases)
    func remoteExists(_ backend: Backend) async throws {
        let folder = try Folder()
        folder.write("a.txt", "old")
        #expect(try await remote(backend, "filename=a.txt", folder).0 == .skipped(reason: "exists"))
        #expect(folder.names == ["a.txt"] && folder.read("a.txt") == Array("old".utf8))
        _ = try await remote(backend, "filename=a.txt", folder, onExists: .rename)
        #expect(folder.names == ["a (2).txt", "a.txt"])
    }

    @Test("a name that the server gives again after a retry is still the task's own")
    func remoteRetry() throws {
        let name = HTTPField("Content-Disposition", "attachment; filename=n")
        let scene = try Scene(
            configure: {
                $0.usesRemoteName = true
                $0.retries = 2
            },
            { _, number in
                let head = Step.head(200, [HTTPField("Content-Length", "2"), name])
                return number < 2
                    ? [head, .body([1]), .end(.failed(TransferError(.reset, "cut")))] : [head, .body([1, 2])]
            })
        let task = try scene.add()
        scene.transport.run()
        scene.pass(10)
        #expect(task.life.snapshot.outcome?.isCompleted == true && scene.folder.names == ["n"])
    }

    @Test("what is there under the server's name is met as any file that is there", arguments: Backend.allCases)
    func remoteMeets(_ backend: Backend) async throws {
        let server = try LoopbackServer(.text("abc", fields: ["Content-Disposition: x; filename=n"]))
        defer { server.stop() }
        func run(
            _ folder: Folder, _ configure: (inout SessionConfiguration, inout TransferRequest) -> Void
        )
            async throws -> TaskOutcome?
        {
            var configuration = SessionConfiguration(in: folder)
            var request = TransferRequest(server.url("/get"))
            configuration.usesRemoteName = true
            configure(&configuration, &request)
            let session = try Session(transport: backend.make(), configuration: configuration)
            let task = try session.add(request)
            _ = await session.finish()
            return task.life.snapshot.outcome
        }
        let folder = try Folder()
        folder.write("n", "old")
        let wrong = try await run(folder) { _, request in request.digests = DigestTests.abc }
        #expect(wrong?.error?.code == .digestMismatch)
        #expect(try await run(folder) { _, request in request.size = 3 } == .skipped(reason: "verified"))
        let failed = try await run(folder) { configuration, _ in configuration.onExists = .fail }
        #expect(failed?.error?.message.hasSuffix("n exists; take it away, or choose another --on-exists") == true)
        #expect(folder.names == ["n"] && folder.read("n") == Array("old".utf8))
        let other = try Folder()
        other.make("n")
        #expect(try await run(other) { _, _ in }?.error?.code == .io && other.names == ["n"])
    }

    @Test("two tasks that the server gives one name never write to one file", arguments: Backend.allCases)
    func remoteClash(_ backend: Backend) async throws {
        let server = try LoopbackServer(.text("x", fields: ["Content-Disposition: attachment; filename=same"]))
        defer { server.stop() }
        let folder = try Folder()
        var configuration = SessionConfiguration(in: folder)
        configuration.usesRemoteName = true
        let session = try Session(transport: backend.make(), configuration: configuration)
        let tasks = try (0..<5).map { try session.add(TransferRequest(server.url("/\($0)"))) }
        let summary = await session.finish().summary
        let said = Set(tasks.compactMap { $0.life.snapshot.outcome?.error?.message })
        let place = "\(folder.path)/same"
        #expect(
            said == [
                "the file would be written to \(place), as another URL's is; give one of them another name with out="
            ])
        #expect(summary.completed == 1 && summary.failed == 4 && summary.exit == 2, "whatever the order")
        #expect(folder.names == ["same"])
    }

    @Test("URLs that differ in their queries only get their names from the server", arguments: Backend.allCases)
    func queries(_ backend: Backend) async throws {
        let server = try LoopbackServer(
            Route { request in
                let number = request.target.suffix(1)
                let fields = number == "3" ? [] : ["Content-Disposition: x; filename=f\(number)"]
                return Route.text(request.target, fields: fields).steps(request)
            })
        defer { server.stop() }
        let folder = try Folder()
        var configuration = SessionConfiguration(in: folder)
        configuration.usesRemoteName = true
        for run in 0..<2 {
            let session = try Session(transport: backend.make(), configuration: configuration)
            for number in 1...3 { try session.add(TransferRequest(server.url("/get?id=\(number)"))) }
            let summary = await session.finish().summary
            #expect(run == 0 ? summary.completed == 3 : summary.skipped == 3)
            #expect(folder.names == ["f1", "f2", "get"] && folder.read("f2") == Array("/get?id=2".utf8))
        }
    }

    @Test("a file gets the time of Last-Modified only when asked", arguments: Backend.allCases, [true, false])
    func time(_ backend: Backend, _ isAsked: Bool) async throws {
        let server = try LoopbackServer(.text("x", fields: ["Last-Modified: Sun, 06 Nov 1994 08:49:37 GMT"]))
        defer { server.stop() }
        let folder = try Folder()
        var configuration = SessionConfiguration(in: folder)
        configuration.usesRemoteTime = isAsked
        let session = try Session(transport: backend.make(), configuration: configuration)
        try session.add(TransferRequest(server.url("/a")))
        _ = await session.finish()
        var status = stat()
        let path = "\(folder.path)/a"
        #expect(unsafe stat(path, &status) == 0 && (status.st_mtim.tv_sec == 784_111_777) == isAsked)
    }
}

@Suite("Refreshing", .timeLimit(.minutes(1))) struct RefreshTests {
    /// Serves one version of a text, with both validators, and knows 304.
    private func version(_ number: Int) -> Route {
        Route { request in
            let etag = "\"\(number)\""
            if request["If-None-Match"] == etag { return [.head("304 Not Modified", ["ETag: \(etag)"])] }
            return Route.text("version \(number)", fields: ["ETag: \(etag)"]).steps(request)
        }
    }

    @Test("an unchanged file is not fetched again, a changed one replaces it", arguments: Backend.allCases)
    func refreshes(_ backend: Backend) async throws {
        let folder = try Folder()
        let current = Current(version(1))
        let server = try LoopbackServer(Route { current.route.steps($0) })
        defer { server.stop() }
        func run(_ target: String = "/a", digests: [DigestAlgorithm: String] = [:]) async throws -> TaskOutcome? {
            var configuration = SessionConfiguration(in: folder)
            configuration.refreshes = true
            let session = try Session(transport: backend.make(), configuration: configuration)
            let task = try session.add(TransferRequest(server.url(target), to: .path("a"), digests: digests))
            _ = await session.finish()
            return task.life.snapshot.outcome
        }
        folder.write("a", "unknown")
        #expect(try await run()?.isCompleted == true, "without marks it is fetched")
        #expect(folder.read("a") == Array("version 1".utf8))
        #expect(try await run() == .skipped(reason: "not_modified"))
        current.route = version(2)
        #expect(try await run()?.isCompleted == true)
        #expect(folder.read("a") == Array("version 2".utf8) && folder.names == ["a"])
        folder.write("a", "edited by hand")
        #expect(try await run()?.isCompleted == true, "one that was edited is fetched again")
        #expect(folder.read("a") == Array("version 2".utf8))
        #expect(try await run("/a?key=2")?.isCompleted == true, "marks are of one URL, secrets included")
        #expect(server.record.requests.map { $0["If-None-Match"] } == [nil, "\"1\"", "\"1\"", nil, nil])
        let right = ResumeTests.sha256(Array("version 2".utf8))
        #expect(try await run("/a", digests: [.sha256: right]) == .skipped(reason: "verified"))
        let wrong = [DigestAlgorithm.sha256: String(repeating: "0", count: 64)]
        #expect(try await run("/a", digests: wrong)?.error?.code == .digestMismatch, "304 is no proof of a digest")
    }
}

/// What a server has now.
private final class Current: Sendable {
    private let box: Mutex<Route>

    init(_ route: Route) { box = Mutex(route) }

    var route: Route {
        get { box.withLock { $0 } }
        set { box.withLock { $0 = newValue } }
    }
}
