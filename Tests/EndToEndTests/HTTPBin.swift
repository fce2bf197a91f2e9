import Glibc
import WhirlLoopback

/// httpbin, under gunicorn, on 127.0.0.1.
final class HTTPBin: Sendable {
    private let port: UInt16
    private let folder: TemporaryFolder
    private let process: pid_t

    /// Starts it, or says why it can't be.
    init() async throws {
        folder = try TemporaryFolder()
        port = LoopbackPort.free()
        process = try Program(
            "gunicorn",
            [
                "--bind", "127.0.0.1:\(port)", "--worker-class", "gthread", "--threads", "8", "--log-level", "error",
                "--access-logfile", "\(folder.path)/seen", "--access-logformat", "%(m)s %(s)s %(U)s", "httpbin:app",
            ], folder: folder.path
        ).process
        let port = self.port
        guard try await aside({ LoopbackPort.answers(port) }) else {
            throw Program.Fault(text: "httpbin does not answer on port \(port)")
        }
    }

    deinit {
        kill(process, SIGTERM)
        _ = waitpid(process, nil, 0)
    }

    func url(_ path: String) -> String { "http://127.0.0.1:\(port)\(path)" }

    /// Method, status and path of each request, in order of their ends; waits up to 10 s for so many.
    func seen(_ count: Int) async throws -> [String] {
        try await aside { [folder] in
            var lines: [String] = []
            for _ in 0..<1000 {
                lines = String(decoding: folder.read("seen") ?? [], as: UTF8.self).split(separator: "\n").map(
                    String.init)
                if lines.count >= count { break }
                _ = poll(nil, 0, 10)
            }
            return lines
        }
    }
}
