import Glibc
import Synchronization

/// A point where a script waits until a test opens it; once open it stays so.
public final class Gate: Sendable {
    /// Readable once the gate is open, so that a script can wait for it and for the client at once.
    let descriptor: Int32
    private let latch: Mutex<Int32?>

    /// A closed gate.
    public init() {
        var ends: [Int32] = [-1, -1]
        let result = unsafe pipe(&ends)
        precondition(result == 0, "no descriptors left for a gate")
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        descriptor = ends[0]
        latch = Mutex(ends[1])
    }

    deinit {
        self.open()
        close(descriptor)
    }

    /// Lets every script that waits here go on.
    ///
    /// Any thread; idempotent.
    public func open() {
        let writing = latch.withLock { $0.take() }
        guard let writing else { return }
        // A byte that nobody takes: the mere end of the pipe would not come while a child process has the other end too.
        _ = unsafe write(writing, "!", 1)
        close(writing)
    }
}
