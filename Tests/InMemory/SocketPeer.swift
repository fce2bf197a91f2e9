import Glibc
import Synchronization
import WhirlCore

/// A program that has connected to a socket of the file system, and speaks in lines.
public final class SocketPeer: Sendable {
    private let descriptor: Int32
    private let rest = Mutex<[UInt8]>([])

    /// Connects; nil when nobody listens there.
    public init?(_ path: String) {
        descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        unsafe withUnsafeMutableBytes(of: &address.sun_path) {
            unsafe $0.copyBytes(from: path.utf8.prefix($0.count - 1))
        }
        let result = unsafe withUnsafeBytes(of: address) { bytes in
            unsafe connect(
                descriptor, bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self), socklen_t(bytes.count))
        }
        // The descriptor is closed by `deinit` in either case: twice would close somebody else's.
        guard result == 0 else { return nil }
    }

    deinit { close(descriptor) }

    /// Sends the text, with a line feed after it.
    public func send(_ line: String) { send(Array((line + "\n").utf8)) }

    /// Sends bytes; waits until they are taken.
    public func send(_ bytes: [UInt8]) {
        var sent = 0
        while sent < bytes.count {
            let count = unsafe bytes.withUnsafeBytes { buffer in
                unsafe Glibc.send(
                    descriptor, buffer.baseAddress.map { unsafe $0 + sent }, bytes.count - sent, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { return }
            sent += count
        }
    }

    /// Sends nothing more; it can still be read.
    public func finish() { shutdown(descriptor, Int32(SHUT_WR)) }

    /// The next line, without its line feed; nil at the end, and when none has come for 20 s.
    public func readLine() -> String? {
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let line = rest.withLock { rest -> [UInt8]? in
                guard let end = rest.firstIndex(of: 0x0A) else { return nil }
                defer { rest.removeFirst(end + 1) }
                return Array(rest[..<end])
            }
            if let line { return String(decoding: line, as: UTF8.self) }
            var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            guard unsafe poll(&entry, 1, 20_000) > 0 else { return nil }
            let count = unsafe recv(descriptor, &buffer, buffer.count, 0)
            guard count > 0 else { return nil }
            rest.withLock { $0 += buffer[..<count] }
        }
    }

    /// The first line, from the next on, with that text in it; nil when there is none.
    public func readLine(with text: String) -> String? {
        while let line = readLine() { if line.contains(text) { return line } }
        return nil
    }
}
