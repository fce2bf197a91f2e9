import Glibc
import WhirlLoopback

/// A real web server on 127.0.0.1 that serves a folder; slowly below `/slow/`.
final class Nginx: Sendable {
    let port: UInt16
    let folder: TemporaryFolder
    private let process: pid_t

    /// Starts it, or says why it can't be.
    init() async throws {
        folder = try TemporaryFolder()
        port = Self.freePort()
        folder.make("www")
        folder.make("scratch")
        let path = folder.path
        unsafe chmod(path, 0o755)  // as root, its worker is somebody else
        folder.write(
            "nginx.conf",
            """
            worker_processes 1; daemon off; pid \(path)/pid; error_log \(path)/error.log;
            events { worker_connections 512; }
            http {
                access_log off; default_type application/octet-stream; keepalive_requests 100000; lingering_close off;
                client_body_temp_path \(path)/scratch; proxy_temp_path \(path)/scratch;
                fastcgi_temp_path \(path)/scratch; uwsgi_temp_path \(path)/scratch; scgi_temp_path \(path)/scratch;
                server {
                    listen 127.0.0.1:\(port);
                    root \(path)/www;
                    location /slow/ { alias \(path)/www/; limit_rate 256k; }
                }
            }
            """)
        let server = try Program("nginx", ["-p", path, "-c", "\(path)/nginx.conf", "-e", "\(path)/error.log"])
        process = server.process
        let port = self.port
        guard try await aside({ Self.answers(port) }) else {
            throw Program.Fault(text: "nginx does not answer on port \(port)")
        }
    }

    func url(_ path: String) -> String { "http://127.0.0.1:\(port)\(path)" }

    deinit {
        kill(process, SIGTERM)
        _ = waitpid(process, nil, 0)
    }

    private static func freePort() -> UInt16 {
        withSocket { socket in
            var address = loopback(0)
            var length = socklen_t(MemoryLayout<sockaddr_in>.size)
            unsafe withUnsafeMutablePointer(to: &address) { pointer in
                unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                    _ = unsafe bind(socket, address, length)
                    _ = unsafe getsockname(socket, address, &length)
                }
            }
            return UInt16(bigEndian: address.sin_port)
        }
    }

    /// Tries for up to 10 s: a server tells nobody when it has begun to listen.
    private static func answers(_ port: UInt16) -> Bool {
        for _ in 0..<1000 {
            let isOpen = withSocket { socket in
                var address = loopback(port)
                return unsafe withUnsafePointer(to: &address) { pointer in
                    unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                        unsafe connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
                    }
                }
            }
            if isOpen { return true }
            _ = poll(nil, 0, 10)
        }
        return false
    }

    private static func withSocket<Value>(_ body: (Int32) -> Value) -> Value {
        let socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(socket) }
        return body(socket)
    }

    private static func loopback(_ port: UInt16) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        return address
    }
}
