import Glibc
import Testing
import WhirlCore
import WhirlInMemory
import WhirlLoopback
import WhirlSession

@Suite("Fetching", .timeLimit(.minutes(1))) struct FetchTests {
    @Test("there is a transport to test with")
    func backends() { #expect(!Backend.allCases.isEmpty) }

    @Test("every file is whole and nothing else is left in the folder", arguments: Backend.allCases)
    func whole(_ backend: Backend) async throws {
        let sizes: [Int64] = [0, 1, 4096, 300_000, 5_000_000]
        let server = try LoopbackServer { request in
            let number = Int(request.path.dropFirst(2)) ?? 0
            let framing: [Route.Framing] = [.length, .chunked, .close]
            return .bytes(sizes[number % 5], seed: number, framing: framing[number % 3])
        }
        defer { server.stop() }
        let folder = try Folder()
        var configuration = SessionConfiguration()
        configuration.directory = folder.path
        let session = try Session(transport: backend.make(), configuration: configuration)
        for number in 0..<50 { try session.add(TransferRequest(server.url("/f\(number)"))) }
        let (summary, _) = await session.finish()
        #expect(summary.completed == 50 && summary.exit == 0)
        #expect(folder.names.count == 50)
        for number in 0..<50 {
            let bytes = try #require(folder.read("f\(number)"))
            #expect(Int64(bytes.count) == sizes[number % 5] && BodyPattern(number).matches(bytes))
        }
    }
}

@Suite("Destinations", .timeLimit(.minutes(1))) struct DestinationTests {
    /// One task, from request to end.
    private func fetch(
        _ request: TransferRequest, _ configuration: SessionConfiguration, _ backend: Backend
    ) async throws -> TaskOutcome? {
        let session = try Session(transport: backend.make(), configuration: configuration)
        let task = try session.add(request)
        _ = await session.finish()
        return task.life.snapshot.outcome
    }

    @Test("an existing file is skipped without a request", arguments: Backend.allCases)
    func skips(_ backend: Backend) async throws {
        let server = try LoopbackServer(.text("new"))
        defer { server.stop() }
        let folder = try Folder()
        folder.write("a", "old")
        let outcome = try await fetch(TransferRequest(server.url("/a")), SessionConfiguration(in: folder), backend)
        #expect(outcome == .skipped(reason: "exists"))
        #expect(folder.read("a") == Array("old".utf8) && server.record.requests.isEmpty)
    }

    @Test(
        "an existing file is overwritten, kept beside the new one, or in the way, as asked for",
        arguments: Backend.allCases, [SessionConfiguration.OnExists.overwrite, .rename, .fail])
    func existing(_ backend: Backend, _ onExists: SessionConfiguration.OnExists) async throws {
        let server = try LoopbackServer(.text("new"))
        defer { server.stop() }
        let folder = try Folder()
        folder.write("a.txt", "old")
        var configuration = SessionConfiguration(in: folder)
        configuration.onExists = onExists
        let outcome = try await fetch(TransferRequest(server.url("/a.txt")), configuration, backend)
        switch onExists {
        case .overwrite: #expect(folder.read("a.txt") == Array("new".utf8) && folder.names == ["a.txt"])
        case .rename:
            #expect(folder.names == ["a (2).txt", "a.txt"])
            #expect(folder.read("a (2).txt") == Array("new".utf8) && folder.read("a.txt") == Array("old".utf8))
        default:
            #expect(outcome?.error?.code == .io && folder.read("a.txt") == Array("old".utf8))
            #expect(folder.names == ["a.txt"])
        }
    }

    @Test("the body of an HTTP failure never becomes the file", arguments: Backend.allCases, [400, 404, 416, 500, 503])
    func failure(_ backend: Backend, _ status: Int) async throws {
        let server = try LoopbackServer(.text("an error page", status: "\(status) No"))
        defer { server.stop() }
        let folder = try Folder()
        let outcome = try await fetch(TransferRequest(server.url("/a")), SessionConfiguration(in: folder), backend)
        #expect(outcome?.error?.code == .http && outcome?.error?.status == status)
        #expect(folder.names.isEmpty)
    }

    @Test("missing folders are made", arguments: Backend.allCases)
    func folders(_ backend: Backend) async throws {
        let server = try LoopbackServer(.text("x"))
        defer { server.stop() }
        let folder = try Folder()
        var configuration = SessionConfiguration(in: folder)
        configuration.directory += "/deep/er"
        let outcome = try await fetch(TransferRequest(server.url("/a")), configuration, backend)
        #expect(outcome?.isCompleted == true)
        let inner = folder.path + "/deep/er"
        #expect(unsafe unlink(inner + "/a") == 0 && rmdir(inner) == 0 && rmdir(folder.path + "/deep") == 0)
    }

    @Test("a device is written in place and stays one", arguments: Backend.allCases)
    func device(_ backend: Backend) async throws {
        let server = try LoopbackServer(.bytes(1_000_000))
        defer { server.stop() }
        let request = TransferRequest(server.url("/a"), to: .path("/dev/null"))
        let outcome = try await fetch(request, SessionConfiguration(), backend)
        #expect(outcome?.isCompleted == true)
        var status = stat()
        #expect(unsafe stat("/dev/null", &status) == 0 && status.st_mode & S_IFMT == S_IFCHR)
        #expect(unsafe access("/dev/null.part", F_OK) != 0)
    }

    @Test("a full device fails the task as disk_full", arguments: Backend.allCases)
    func full(_ backend: Backend) async throws {
        let server = try LoopbackServer(.bytes(1_000_000))
        defer { server.stop() }
        let request = TransferRequest(server.url("/a"), to: .path("/dev/full"))
        let outcome = try await fetch(request, SessionConfiguration(), backend)
        #expect(outcome?.error?.code == .diskFull && outcome?.error?.code.exit == 3)
    }

    @Test("a folder in the way fails that task and leaves it", arguments: Backend.allCases)
    func folderInTheWay(_ backend: Backend) async throws {
        let server = try LoopbackServer(.text("x"))
        defer { server.stop() }
        let folder = try Folder()
        let inTheWay = folder.path + "/a"
        unsafe mkdir(inTheWay, 0o755)
        defer { unsafe rmdir(inTheWay) }
        let outcome = try await fetch(TransferRequest(server.url("/a")), SessionConfiguration(in: folder), backend)
        #expect(outcome?.error?.code == .io && server.record.requests.isEmpty)
    }

    @Test("two requests for one path are refused before anything starts, through links and ./ too")
    func clash() throws {
        let folder = try Folder()
        let other = folder.path + "-link"
        unsafe symlink(folder.path, other)
        defer { unsafe unlink(other) }
        func requests(_ paths: String...) -> [TransferRequest] {
            paths.map { TransferRequest("http://127.0.0.1/x", to: .path($0)) }
        }
        let same = [
            requests("\(folder.path)/a", "\(folder.path)/./a"), requests("\(folder.path)/a", "\(other)/a"),
            requests("\(folder.path)/a", "\(folder.path)/a.part"),
            requests("\(folder.path)/a.part.state", "\(folder.path)/a"),
            requests("\(folder.path)/n/../a", "\(folder.path)/a"),
        ]
        for pair in same {
            let error = #expect(throws: TransferError.self) { try check(pair) }
            #expect(error?.code == .usage)
        }
        try check(requests("\(folder.path)/a", "\(folder.path)/b", "/dev/null", "/dev/null"))
        let twice = [
            TransferRequest("http://h/a", to: .standardOutput), TransferRequest("http://h/b", to: .standardOutput),
        ]
        #expect(throws: TransferError.self) { try check(twice) }
    }

    @Test("a path that is one task's file and another's folder is refused before anything starts, in either order")
    func fileAsFolder() throws {
        let folder = try Folder()
        let pairs = [
            ("p", "p/q"), ("p", "p/q/r/s"), ("./p", "n/../p/q"), ("p", "p.part/q"), ("p", "p.part.state/q/r"),
        ]
        for (file, below) in pairs {
            for paths in [[file, below], [below, file]] {
                let requests = paths.map { TransferRequest("http://127.0.0.1/x", to: .path("\(folder.path)/\($0)")) }
                let error = #expect(throws: TransferError.self) { try check(requests) }
                #expect(error?.code == .usage, "\(paths)")
            }
        }
        let good = ["p", "pq/r", "p.q/r", "q/p/r", "q/r"].map {
            TransferRequest("http://127.0.0.1/x", to: .path("\(folder.path)/\($0)"))
        }
        try check(good)
    }

    @Test("what a check has let pass is taken without another look, and nobody else has its path")
    func admissions() async throws {
        let folder = try Folder()
        func request(_ name: String, _ path: String) -> TransferRequest {
            TransferRequest("http://127.0.0.1/\(name)", to: .path("\(folder.path)/\(path)"))
        }
        var check = RequestCheck(SessionConfiguration(in: folder))
        let kept = try check.admit(request("a", "a"))
        try check.admit(request("b", "b"))
        let transport = ScriptedTransport(.stepped) { _, _ in [.whole(1), .body([0x78]), .end(.finished)] }
        let session = try Session(
            transport: transport, configuration: SessionConfiguration(in: folder), check: check, clock: ManualClock())
        try session.add(request("a", "a"), admission: kept)
        for path in ["a", "b", "b/c"] {
            let error = #expect(throws: TransferError.self) { try session.add(request("other", path)) }
            #expect(error?.code == .usage)
        }
        // Numbers go on where the check's ended, whoever was refused.
        try session.add(TransferRequest("http://127.0.0.1/x", to: .template("f{index}")))
        transport.run()
        let summary = await session.finish().summary
        #expect(summary.completed == 2)
        #expect(folder.names.sorted() == ["a", "f6"])
    }

    @Test("a .part that another process writes is not touched", arguments: Backend.allCases)
    func locked(_ backend: Backend) async throws {
        let server = try LoopbackServer(.text("x"))
        defer { server.stop() }
        let folder = try Folder()
        folder.write("a.part", "theirs")
        let file = unsafe open("\(folder.path)/a.part", O_RDONLY)
        defer { close(file) }
        #expect(flock(file, LOCK_EX | LOCK_NB) == 0)
        let outcome = try await fetch(TransferRequest(server.url("/a")), SessionConfiguration(in: folder), backend)
        #expect(outcome?.error?.code == .io && folder.read("a.part") == Array("theirs".utf8))
    }
}

@Suite("Redirects", .timeLimit(.minutes(1))) struct RedirectTests {
    @Test("redirects are followed and told of, the file has the name of the first URL", arguments: Backend.allCases)
    func follows(_ backend: Backend) async throws {
        let server = try LoopbackServer([
            "/a": .redirect(to: "b?token=s3cret"), "/b": .redirect("307 X", to: "/c"), "/c": .text("here"),
        ])
        defer { server.stop() }
        let folder = try Folder()
        let session = try Session(transport: backend.make(), configuration: SessionConfiguration(in: folder))
        let task = try session.add(TransferRequest(server.url("/a")))
        let log = EventLog(task)
        _ = await session.finish()
        #expect(folder.names == ["a"] && folder.read("a") == Array("here".utf8))
        let told = log.events.filter { if case .redirected = $0 { true } else { false } }
        #expect(
            told.isEmpty || told.last == .redirected(status: 307, url: server.url("/c")), "told of \(told)")
        #expect(server.record.requests.map(\.path) == ["/a", "/b", "/c"])
    }

    @Test("a loop of redirects ends with code redirect", arguments: Backend.allCases)
    func loop(_ backend: Backend) async throws {
        let server = try LoopbackServer(.redirect(to: "/a"))
        defer { server.stop() }
        let session = try Session(transport: backend.make(), configuration: SessionConfiguration(in: Folder()))
        let task = try session.add(TransferRequest(server.url("/a")))
        _ = await session.finish()
        #expect(task.life.snapshot.outcome?.error?.code == .redirect && server.record.requests.count == 21)
    }

    @Test("credentials go to the origin of the request's URL only", arguments: Backend.allCases)
    func credentials(_ backend: Backend) async throws {
        let other = try LoopbackServer(.text("x"))
        let server = try LoopbackServer(["/a": .redirect(to: "/b"), "/b": .redirect(to: other.url("/c"))])
        defer {
            server.stop()
            other.stop()
        }
        let folder = try Folder()
        let session = try Session(transport: backend.make(), configuration: SessionConfiguration(in: folder))
        let url = server.url("/a").replacing("http://", with: "http://us:pw@", maxReplacements: 1)
        try session.add(TransferRequest(url, fields: [HTTPField("Cookie", "c=1"), HTTPField("X-Mine", "1")]))
        _ = await session.finish()
        let basic = "Basic dXM6cHc="
        #expect(server.record.requests.map { $0["Authorization"] } == [basic, basic])
        #expect(server.record.requests.map { $0["Cookie"] } == ["c=1", "c=1"])
        let last = try #require(other.record.requests.first)
        #expect(last["Authorization"] == nil && last["Cookie"] == nil && last["X-Mine"] == "1")
    }
}
