import Glibc
import Testing
import WhirlCore
import WhirlInMemory
import WhirlLoopback

@testable import WhirlSession

@Suite("A destination that is written in place", .timeLimit(.minutes(1))) struct InPlaceFileTests {
    private static func makeFIFO(in folder: Folder) throws -> InPlaceFile {
        let path = folder.path + "/fifo"
        #expect(unsafe mkfifo(path, 0o600) == 0)
        let request = TransferRequest("http://h/", to: .path(path))
        return InPlaceFile(try Destination(request, SourceURL(request.url), index: 1, SessionConfiguration()))
    }

    private static func failure(_ body: () throws -> Void) -> TransferError? {
        do {
            try body()
            return nil
        } catch {
            return error as? TransferError
        }
    }

    @Test("a FIFO is waited for until it has a reader")
    func reader() async throws {
        let folder = try Folder()
        let sink = try Self.makeFIFO(in: folder)
        let path = folder.path + "/fifo"
        async let written: Void = aside {
            try sink.begin(at: 0, BodyPlan())
            let bytes: [UInt8] = [42]
            try unsafe sink.write(bytes.span.bytes, isLast: true)
            sink.close()
        }
        let got = try await aside {
            let reader = unsafe open(path, O_RDONLY)
            defer { close(reader) }
            var byte: UInt8 = 0
            return unsafe read(reader, &byte, 1) == 1 ? byte : 0
        }
        try await written
        #expect(got == 42)
    }

    @Test("a FIFO without a reader does not hold up a transfer that is to end")
    func abandoned() async throws {
        let folder = try Folder()
        let sink = try Self.makeFIFO(in: folder)
        async let failure = aside { Self.failure { try sink.begin(at: 0, BodyPlan()) } }
        sink.abandon()
        let error = try await failure
        #expect(error?.code == .io)
    }

    @Test("nor does one whose reader does not read")
    func stuck() async throws {
        let folder = try Folder()
        let sink = try Self.makeFIFO(in: folder)
        let reader = unsafe open(folder.path + "/fifo", O_RDONLY | O_NONBLOCK)
        defer { close(reader) }
        try sink.begin(at: 0, BodyPlan())
        let bytes = [UInt8](repeating: 1, count: 1 << 20)
        async let failure = aside { Self.failure { try unsafe sink.write(bytes.span.bytes, isLast: false) } }
        sink.abandon()
        let error = try await failure
        #expect(error?.code == .io)
    }

    @Test("its transfer, when cancelled, falls silent at once: no clock moves", arguments: Backend.allCases)
    func cancelled(_ backend: Backend) async throws {
        let folder = try Folder()
        _ = try Self.makeFIFO(in: folder)
        let server = try LoopbackServer(.bytes(1000))
        defer { server.stop() }
        let session = try Session(transport: backend.make(), clock: ManualClock())
        let task = try session.add(TransferRequest(server.url("/a"), to: .path(folder.path + "/fifo")))
        _ = await server.until { $0.requests.first?.isAnswered == true }
        session.perform(.quit(reason: "signal"))
        let (summary, _) = await session.finish()
        #expect(task.life.snapshot.outcome == .cancelled(reason: "signal") && summary.cancelled == 1)
    }

    @Test("its transfer, when no byte moves for too long, fails for that reason", arguments: Backend.allCases)
    func stalled(_ backend: Backend) async throws {
        let folder = try Folder()
        _ = try Self.makeFIFO(in: folder)
        let server = try LoopbackServer(.bytes(1000))
        defer { server.stop() }
        let clock = ManualClock()
        var configuration = SessionConfiguration()
        configuration.retries = 0
        let session = try Session(transport: backend.make(), configuration: configuration, clock: clock)
        let task = try session.add(TransferRequest(server.url("/a"), to: .path(folder.path + "/fifo")))
        _ = await server.until { $0.requests.first?.isAnswered == true }
        clock.advance(by: 130)
        let code = await task.outcome()?.error?.code
        #expect(code == .stalled || code == .timeout)
    }
}
