import Glibc

/// What can go wrong when a server is made.
public struct SocketError: Error, CustomStringConvertible {
    /// The call and the reason.
    public let description: String

    init(_ call: String) {
        let text = unsafe String(cString: strerror(errno))
        description = "\(call): \(text)"
    }
}

/// A connected or listening socket: a number, closed by whoever owns it.
struct Socket: Sendable {
    let descriptor: Int32

    /// Listens on a free port of the loopback interface.
    static func listening(ipv6: Bool, queue: Int32 = 1024) throws -> (Socket, port: UInt16) {
        let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
        let socket = Socket(descriptor: Glibc.socket(ipv6 ? AF_INET6 : AF_INET, kind, 0))
        guard socket.descriptor >= 0 else { throw SocketError("socket") }
        do {
            guard socket.bindToLoopback(ipv6: ipv6) == 0 else { throw SocketError("bind") }
            guard listen(socket.descriptor, queue) == 0 else { throw SocketError("listen") }
            return (socket, try socket.port())
        } catch {
            socket.close()
            throw error
        }
    }

    /// Begins to connect to a port of the loopback interface and does not wait for the outcome.
    static func connecting(to port: UInt16) -> Int32 {
        let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
        let descriptor = Glibc.socket(AF_INET, kind, 0)
        var address = loopback
        address.sin_port = port.bigEndian
        unsafe withUnsafeBytes(of: &address) { bytes in
            _ = unsafe connect(
                descriptor, bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self), socklen_t(bytes.count))
        }
        return descriptor
    }

    private static var loopback: sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        return address
    }

    private func bindToLoopback(ipv6: Bool) -> Int32 {
        if ipv6 {
            var address = sockaddr_in6()
            address.sin6_family = sa_family_t(AF_INET6)
            address.sin6_addr = in6addr_loopback
            return unsafe withUnsafeBytes(of: &address) { unsafe bind($0) }
        }
        var address = Self.loopback
        return unsafe withUnsafeBytes(of: &address) { unsafe bind($0) }
    }

    private func bind(_ address: UnsafeRawBufferPointer) -> Int32 {
        unsafe Glibc.bind(
            descriptor, address.baseAddress?.assumingMemoryBound(to: sockaddr.self), socklen_t(address.count))
    }

    private func port() throws -> UInt16 {
        var storage = sockaddr_storage()
        var size = socklen_t(MemoryLayout<sockaddr_storage>.size)
        return try unsafe withUnsafeMutableBytes(of: &storage) { bytes in
            let address = unsafe bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self)
            guard unsafe getsockname(descriptor, address, &size) == 0 else { throw SocketError("getsockname") }
            // The port lies at the same place for both families.
            return unsafe UInt16(bigEndian: bytes.load(fromByteOffset: 2, as: UInt16.self))
        }
    }

    /// The next connection; nil once the socket was shut down.
    func accept() -> Socket? {
        while true {
            let connection = Glibc.accept(descriptor, nil, nil)
            if connection >= 0 {
                _ = fcntl(connection, F_SETFD, FD_CLOEXEC)
                var on: Int32 = 1
                unsafe setsockopt(
                    connection, Int32(IPPROTO_TCP), TCP_NODELAY, &on, socklen_t(MemoryLayout<Int32>.size))
                return Socket(descriptor: connection)
            }
            guard errno == EINTR || errno == ECONNABORTED else { return nil }
        }
    }

    /// Appends what has come; false at the end of the stream or on an error.
    func receive(into buffer: inout [UInt8]) -> Bool {
        let piece = unsafe [UInt8](unsafeUninitializedCapacity: 16384) { bytes, count in
            var result: Int
            repeat {
                result = unsafe recv(descriptor, bytes.baseAddress, bytes.count, 0)
            } while result < 0
                && errno == EINTR
            count = max(0, result)
        }
        buffer += piece
        return !piece.isEmpty
    }

    /// Sends; returns how many bytes the socket took: fewer than all when the client is gone.
    func send(_ bytes: ArraySlice<UInt8>) -> Int {
        unsafe bytes.withUnsafeBytes { buffer in
            var done = 0
            while done < buffer.count {
                let rest = unsafe UnsafeRawBufferPointer(rebasing: buffer[done...])
                let sent = unsafe Glibc.send(descriptor, rest.baseAddress, rest.count, Int32(MSG_NOSIGNAL))
                if sent < 0 && errno == EINTR { continue }
                if sent <= 0 { break }
                done += sent
            }
            return done
        }
    }

    /// Waits until the time is over or the gate is open: true; or until the client is gone: false.
    func wait(until deadline: ContinuousClock.Instant?, gate: Gate? = nil) -> Bool {
        var watched = [pollfd(fd: descriptor, events: Self.hangUp, revents: 0)]
        if let gate { watched.append(pollfd(fd: gate.descriptor, events: Int16(POLLIN), revents: 0)) }
        while true {
            let left = deadline.map { Self.milliseconds($0 - .now) } ?? -1
            let ready = unsafe poll(&watched, nfds_t(watched.count), left)
            if watched[0].revents != 0 { return false }
            if ready > 0 || (ready == 0 && left == 0) { return true }
        }
    }

    /// Rounded up, so that a wait is never cut short.
    private static func milliseconds(_ duration: Duration) -> Int32 {
        let (seconds, attoseconds) = duration.components
        return Int32(clamping: max(0, seconds * 1000 + (attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000))
    }

    /// POLLRDHUP: the other end has closed its sending side.
    private static let hangUp: Int16 = 0x2000

    /// Wakes every call that waits on this socket, on any thread.
    func shutDown() { shutdown(descriptor, Int32(SHUT_RDWR)) }

    /// Makes the next `close` a reset.
    func resetOnClose() {
        var option = linger(l_onoff: 1, l_linger: 0)
        unsafe setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
    }

    func close() { Glibc.close(descriptor) }
}
