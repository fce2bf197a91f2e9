import WhirlCore
import WhirlLoopback
import WhirlSession

/// What must hold of tasks, through Whirl's session over any transport.
public enum TaskPromises {
    /// All of them.
    ///
    /// Ids and sentences stay; new ones are added.
    public static let all: [Promise<TransportSubject>] = life + progress + pauses + faults

    typealias TaskPromise = Promise<TransportSubject>

    static let size: Int64 = 3_000_000

    /// What a promise is judged in: a session with one try for each task, over a server.
    struct Setting: Sendable {
        let server: LoopbackServer
        let folder: TemporaryFolder
        let session: Session

        /// A task, seen from before its first step.
        func add(_ target: String = "/a") throws -> TaskLog { try add(url: server.url(target)) }

        func add(url: String) throws -> TaskLog {
            let log = TaskLog(try session.add(TransferRequest(url)))
            log.task.resume()
            return log
        }

        /// Expects the file to be whole and right.
        func expectFile(
            _ name: String = "a", _ size: Int64 = size, seed: Int = 1, fileID: String = #fileID,
            filePath: String = #filePath, line: Int = #line
        ) throws {
            let bytes = folder.read(name)
            try expect(
                bytes.map { Int64($0.count) == size && BodyPattern(seed).matches($0) } == true,
                "\(name) has \(bytes.map { "\($0.count) bytes" } ?? "no bytes") that are not those of the server",
                fileID: fileID, filePath: filePath, line: line)
        }
    }

    static func with(
        _ subject: TransportSubject, _ routes: [String: Route],
        configure: (inout SessionConfiguration) -> Void = { _ in }, _ body: (Setting) async throws -> Void
    ) async throws {
        let server = try LoopbackServer(routes)
        defer { server.stop() }
        let folder = try TemporaryFolder()
        var configuration = SessionConfiguration()
        configuration.directory = folder.path
        configuration.retries = 0
        configuration.startsPaused = true  // until they are observed
        configuration.transportName = subject.name
        configure(&configuration)
        let session = try Session(transport: try subject.make(), configuration: configuration)
        do {
            try await body(Setting(server: server, folder: folder, session: session))
        } catch {
            session.perform(.quit(reason: "broken"))
            _ = await session.finish()
            throw error
        }
        _ = await session.finish()
    }

    /// Serves a first request up to half of the file, then waits for the gate; those for the rest are served at once.
    static func half(_ gate: Gate) -> Route {
        Route.files { ServedFile(size: size, pace: $0.number == 0 ? .gate(gate, at: size / 2) : .full) }
    }
}
