import Glibc

/// A port that never answers: whoever connects to it waits until it gives up.
public final class DeafPort: Sendable {
    private let listener: Socket
    private let fillers: [Int32]
    /// `http://127.0.0.1:PORT`.
    public let origin: String

    /// Listens and lets its own connections fill the queue, so that the kernel drops those of others.
    public init() throws {
        let (listener, port) = try Socket.listening(ipv6: false, queue: 0)
        self.listener = listener
        origin = "http://127.0.0.1:\(port)"
        fillers = (0..<4).map { _ in Socket.connecting(to: port) }
    }

    deinit {
        for filler in fillers { close(filler) }
        listener.close()
    }
}
