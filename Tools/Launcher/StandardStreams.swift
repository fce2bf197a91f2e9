import Glibc
import Synchronization

/// The descriptors 0, 1 and 2, which whoever starts a process may have closed.
enum StandardStreams {
    private static let closed = Mutex<Set<Int32>>([])

    /// Puts something under the numbers that are closed: what is opened next would get them, and be written into.
    ///
    /// Open for the wrong direction, so that using them is an error. Before anything else is opened.
    static func fill() {
        for number in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO] where fcntl(number, F_GETFD) < 0 {
            _ = unsafe open("/dev/null", number == STDIN_FILENO ? O_WRONLY : O_RDONLY)  // the lowest number: this one
            closed.withLock { _ = $0.insert(number) }
        }
    }

    /// Whether the process came with that one open.
    static func isOpen(_ number: Int32) -> Bool { !closed.withLock { $0.contains(number) } }
}
