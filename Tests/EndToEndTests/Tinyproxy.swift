import Glibc
import WhirlLoopback

/// A real proxy on 127.0.0.1.
final class Tinyproxy: Sendable {
    let port: UInt16
    private let folder: TemporaryFolder
    private let process: pid_t

    /// Starts it, or says why it can't be; with `user` it serves nobody else.
    init(user: String? = nil, password: String = "") async throws {
        folder = try TemporaryFolder()
        port = LoopbackPort.free()
        let users = user.map { "BasicAuth \($0) \(password)" } ?? ""
        folder.write(
            "tinyproxy.conf",
            """
            Port \(port)
            Listen 127.0.0.1
            Allow 127.0.0.1
            MaxClients 50
            Timeout 60
            LogFile "\(folder.path)/log"
            LogLevel Connect
            \(users)

            """)
        process = try Program("tinyproxy", ["-d", "-c", "\(folder.path)/tinyproxy.conf"]).process
        let port = self.port
        guard try await aside({ LoopbackPort.answers(port) }) else {
            throw Program.Fault(text: "tinyproxy does not answer on port \(port)")
        }
    }

    deinit {
        kill(process, SIGTERM)
        _ = waitpid(process, nil, 0)
    }

    /// Its URL, perhaps with userinfo.
    func url(_ userinfo: String = "") -> String { "http://\(userinfo)127.0.0.1:\(port)" }

    /// What it was asked.
    var log: String { String(decoding: folder.read("log") ?? [], as: UTF8.self) }
}
