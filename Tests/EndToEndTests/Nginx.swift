import Glibc
import WhirlLoopback

/// A real web server on 127.0.0.1 that serves a folder; slowly below `/slow/`, to `me` with `canary` below `/private/`.
final class Nginx: Sendable {
    let port: UInt16
    /// For https, when it has a certificate.
    let securePort: UInt16
    let folder: TemporaryFolder
    private let process: pid_t

    /// Starts it, or says why it can't be.
    ///
    /// `keepalive`: after how many requests it ends a connection.
    init(_ authority: Authority? = nil, keepalive: Int = 100_000) async throws {
        folder = try TemporaryFolder()
        port = LoopbackPort.free()
        let securePort = LoopbackPort.free()
        self.securePort = securePort
        folder.make("www")
        folder.make("scratch")
        let path = folder.path
        unsafe chmod(path, 0o755)  // as root, its worker is somebody else
        folder.write("users", "me:{PLAIN}canary\n")
        let secure = authority.map { Self.secure(securePort, $0) } ?? ""
        folder.write("nginx.conf", Self.configuration(path, keepalive, "listen 127.0.0.1:\(port); \(secure)"))
        let server = try Program("nginx", ["-p", path, "-c", "\(path)/nginx.conf", "-e", "\(path)/error.log"])
        process = server.process
        let port = self.port
        guard try await aside({ LoopbackPort.answers(port) }) else {
            throw Program.Fault(text: "nginx does not answer on port \(port)")
        }
    }

    private static func secure(_ port: UInt16, _ authority: Authority) -> String {
        """
        listen 127.0.0.1:\(port) ssl http2;
        ssl_certificate \(authority.certificate); ssl_certificate_key \(authority.key);
        """
    }

    private static func configuration(_ path: String, _ keepalive: Int, _ listening: String) -> String {
        """
        worker_processes 1; daemon off; pid \(path)/pid; error_log \(path)/error.log;
        events { worker_connections 512; }
        http {
            log_format seen '$request_uri $server_protocol'; access_log \(path)/seen seen;
            log_format streams '$connection $msec $request_time $status $server_protocol $request_uri';
            access_log \(path)/streams streams;
            default_type application/octet-stream; keepalive_requests \(keepalive); lingering_close off;
            client_body_temp_path \(path)/scratch; proxy_temp_path \(path)/scratch;
            fastcgi_temp_path \(path)/scratch; uwsgi_temp_path \(path)/scratch; scgi_temp_path \(path)/scratch;
            server {
                \(listening)
                root \(path)/www;
                location /private/ { auth_basic "x"; auth_basic_user_file \(path)/users; alias \(path)/www/; }
                location /slow/ { alias \(path)/www/; limit_rate 256k; }
            }
        }
        """
    }

    func url(_ path: String) -> String { "http://127.0.0.1:\(port)\(path)" }

    func secureURL(_ path: String, host: String = "127.0.0.1") -> String { "https://\(host):\(securePort)\(path)" }

    /// A line for each request, target and version, sorted; waits up to 10 s for so many, as it writes a line after its answer.
    func seen(_ count: Int) async throws -> [String] { try await lines(count, of: "seen") }

    /// The same as connection, second of its end, seconds it took, status, version and target.
    func streams(_ count: Int) async throws -> [[Substring]] {
        try await lines(count, of: "streams").map { $0.split(separator: " ") }
    }

    private func lines(_ count: Int, of name: String) async throws -> [String] {
        try await aside { [folder] in
            var lines: [String] = []
            for _ in 0..<1000 {
                let text = String(decoding: folder.read(name) ?? [], as: UTF8.self)
                lines = text.split(separator: "\n").map(String.init).sorted()
                if lines.count >= count { break }
                _ = poll(nil, 0, 10)
            }
            return lines
        }
    }

    deinit {
        kill(process, SIGTERM)
        _ = waitpid(process, nil, 0)
    }
}
