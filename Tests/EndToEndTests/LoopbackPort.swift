import Glibc

/// TCP ports of 127.0.0.1.
enum LoopbackPort {
    /// One that nobody listens on.
    static func free() -> UInt16 {
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

    /// Whether somebody does, within 10 s: a server tells nobody when it has begun to listen.
    static func answers(_ port: UInt16) -> Bool {
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
