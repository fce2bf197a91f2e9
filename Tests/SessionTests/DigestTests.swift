import Glibc
import Testing
import WhirlCore
import WhirlInMemory
import WhirlLoopback

@testable import WhirlSession

@Suite("Digests", .timeLimit(.minutes(1))) struct DigestTests {
    /// Of "abc" (FIPS 180-4 and RFC 1321).
    static let abc: [DigestAlgorithm: String] = [
        .md5: "900150983cd24fb0d6963f7d28e17f72", .sha1: "a9993e364706816aba3e25717850c26c9cd0d89d",
        .sha224: "23097d223405d8228642a477bda255b32aadbce4bda0b3f7e36c9da7",
        .sha256: "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
        .sha384: "cb00753f45a35e8bb5a03d699ac65007272c32ab0eded1631a8b605a43ff5bed8086072ba1e7cc2358baeca134c825a7",
        .sha512: "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a"
            + "2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f",
    ]

    private func fetch(
        _ backend: Backend, _ route: Route, digests: [DigestAlgorithm: String] = [:], size: Int64? = nil,
        folder: Folder, configure: (inout SessionConfiguration) -> Void = { _ in }
    ) async throws -> (outcome: TaskOutcome?, exit: Int32, requests: Int) {
        let server = try LoopbackServer(route)
        defer { server.stop() }
        var configuration = SessionConfiguration(in: folder)
        configure(&configuration)
        let session = try Session(transport: backend.make(), configuration: configuration)
        let task = try session.add(TransferRequest(server.url("/a"), digests: digests, size: size))
        let summary = await session.finish().summary
        return (task.life.snapshot.outcome, summary.exit, server.record.requests.count)
    }

    @Test("every algorithm is right, upper case or not", arguments: Backend.allCases, DigestAlgorithm.allCases)
    func algorithms(_ backend: Backend, _ algorithm: DigestAlgorithm) async throws {
        let folder = try Folder()
        let wanted = try #require(Self.abc[algorithm])
        let fetched = try await fetch(backend, .text("abc"), digests: [algorithm: wanted.uppercased()], folder: folder)
        guard case .completed(let completion) = fetched.outcome else {
            Issue.record("\(String(describing: fetched.outcome))")
            return
        }
        #expect(completion.digests == [algorithm.rawValue: wanted] && folder.names == ["a"])
    }

    @Test("a mismatch exits 4, the file stays as .part and is not continued", arguments: Backend.allCases)
    func mismatch(_ backend: Backend) async throws {
        let folder = try Folder()
        let size: Int64 = 2_000_000
        let digests = [DigestAlgorithm.sha256: String(repeating: "0", count: 64)]
        let route = Route.file(size: size)
        let first = try await fetch(backend, route, digests: digests, folder: folder)
        #expect(first.outcome?.error?.code == .digestMismatch && first.exit == 4 && first.requests == 1)
        #expect(folder.names == ["a.part", "a.part.state"] && folder.read("a.part")?.count == Int(size))
        let blind = try await fetch(backend, route, digests: digests, folder: folder) { $0.resume = .unsafe }
        #expect(blind.outcome?.error?.code == .digestMismatch && blind.requests == 1, "it is fetched anew")
        let right = ResumeTests.sha256(BodyPattern(1).bytes(0..<size))
        let second = try await fetch(backend, route, digests: [.sha256: right], folder: folder)
        #expect(second.outcome?.isCompleted == true && folder.names == ["a"])
    }

    @Test("a digest over the parts of a paused transfer is that of the whole", arguments: Backend.allCases)
    func paused(_ backend: Backend) async throws {
        let size: Int64 = 3_000_000
        let server = try LoopbackServer(
            Route.files { request in
                ServedFile(size: size, pace: request["Range"] == nil ? .gate(Gate(), at: size / 2) : .full)
            })
        defer { server.stop() }
        let folder = try Folder()
        let session = try Session(transport: backend.make(), configuration: SessionConfiguration(in: folder))
        let right = ResumeTests.sha256(BodyPattern(1).bytes(0..<size))
        let task = try session.add(TransferRequest(server.url("/a"), digests: [.sha256: right]))
        await task.until { $0.progress.received == size / 2 }
        task.suspend()
        task.resume()
        #expect(await session.finish().summary.completed == 1)
    }

    @Test(
        "what the server says of its bytes is checked too",
        arguments: Backend.allCases,
        [
            ("Repr-Digest: sha-256=:ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0=:", true),
            ("Content-Digest: sha-256=:ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0=:", true),
            ("repr-digest: md5=:AAAA:, sha-256=:AAAAv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0=:", false),
            ("Repr-Digest: sha=:AAAA:, sha-256=nonsense", true),
        ])
    func served(_ backend: Backend, _ word: (field: String, isRight: Bool)) async throws {
        let folder = try Folder()
        let fetched = try await fetch(backend, .text("abc", fields: [word.field]), folder: folder)
        #expect(fetched.exit == (word.isRight ? 0 : 4))
        #expect(folder.names == (word.isRight ? ["a"] : ["a.part", "a.part.state"]))
    }

    @Test("what the server said of the whole holds for a part that it sends later", arguments: Backend.allCases)
    func servedOnce(_ backend: Backend) async throws {
        let size: Int64 = 3_000_000
        let wrong = "Repr-Digest: sha-256=:ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0=:"
        let server = try LoopbackServer(
            Route.files { request in
                let isFirst = request["Range"] == nil
                return ServedFile(
                    size: size, pace: isFirst ? .gate(Gate(), at: size / 2) : .full, fields: isFirst ? [wrong] : [])
            })
        defer { server.stop() }
        let folder = try Folder()
        for run in 0..<2 {
            let session = try Session(transport: backend.make(), configuration: SessionConfiguration(in: folder))
            let task = try session.add(TransferRequest(server.url("/a")))
            if run == 0 {
                await task.until { $0.progress.received == size / 2 }
                session.perform(.quit(reason: "signal"))
            }
            let exit = await session.finish().summary.exit
            #expect(exit == (run == 0 ? 5 : 4))
        }
    }

    @Test("another size than expected is a mismatch, told or not", arguments: Backend.allCases, [true, false])
    func size(_ backend: Backend, _ isTold: Bool) async throws {
        let folder = try Folder()
        let route = Route.bytes(1000, framing: isTold ? .length : .chunked)
        for wrong: Int64 in [999, 1001] {
            let fetched = try await fetch(backend, route, size: wrong, folder: folder)
            #expect(fetched.outcome?.error?.code == .digestMismatch && !folder.names.contains("a"))
        }
        #expect(try await fetch(backend, route, size: 1000, folder: folder).exit == 0)
    }

    @Test("a file that is there is checked without a request, and never touched", arguments: Backend.allCases)
    func existing(_ backend: Backend) async throws {
        let folder = try Folder()
        folder.write("a", "abc")
        let right = try await fetch(backend, .text("new"), digests: Self.abc, folder: folder)
        #expect(right.outcome == .skipped(reason: "verified") && right.requests == 0)
        #expect(try await fetch(backend, .text("new"), size: 3, folder: folder).outcome == .skipped(reason: "verified"))
        let other = try await fetch(backend, .text("new"), size: 4, folder: folder)
        #expect(other.outcome?.error?.code == .digestMismatch && other.requests == 0)
        let wrong = [DigestAlgorithm.md5: String(repeating: "0", count: 32)]
        let fetched = try await fetch(backend, .text("new"), digests: wrong, folder: folder)
        #expect(fetched.outcome?.error?.code == .digestMismatch && fetched.exit == 4 && fetched.requests == 0)
        #expect(folder.read("a") == Array("abc".utf8) && folder.names == ["a"])
    }

    @Test("what can't be a digest is refused", arguments: ["", "abc", String(repeating: "g", count: 64)])
    func refused(_ digest: String) {
        #expect(throws: TransferError.self) {
            try check([TransferRequest("http://h.test/a", digests: [.sha256: digest])])
        }
    }

    @Test("a file longer than allowed fails, told or not", arguments: Backend.allCases, [true, false])
    func maxSize(_ backend: Backend, _ isTold: Bool) async throws {
        let folder = try Folder()
        let route = Route.bytes(1001, framing: isTold ? .length : .chunked)
        let fetched = try await fetch(backend, route, folder: folder) { $0.maxSize = 1000 }
        #expect(fetched.outcome?.error?.code == .tooLarge && fetched.exit == 1 && !folder.names.contains("a"))
        #expect(try await fetch(backend, .bytes(1000), folder: folder) { $0.maxSize = 1000 }.exit == 0)
    }
}
