#if NCurses
import Glibc
import WhirlBoard

extension LineWriter {
    /// How long a terminal that has just been stuck may take for each piece, in milliseconds.
    private static let patience: Int32 = 100

    /// A writer to a terminal that may take no bytes: it gives up rather than wait; nil when it is no terminal.
    ///
    /// The description of its own that does not block stays open: the process is about to end.
    init?(hasty descriptor: Int32) {
        guard isatty(descriptor) == 1 else { return nil }
        let own = unsafe open("/proc/self/fd/\(descriptor)", O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
        guard own >= 0 else { return nil }
        self.init(own) { descriptor, bytes in
            var entry = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
            guard unsafe poll(&entry, 1, Self.patience) > 0 else { return -Int(ETIMEDOUT) }
            let count = unsafe bytes.withUnsafeBytes { unsafe Glibc.write(descriptor, $0.baseAddress, $0.count) }
            return count < 0 ? -Int(errno == EAGAIN ? ETIMEDOUT : errno) : count
        }
    }
}
#endif
