import Glibc

/// Writes the command's own few words.
enum Output {
    /// Writes all of `text`, waiting where it must; gives up in silence when nobody can read it.
    static func write(_ text: String, to descriptor: Int32) {
        var bytes = Array(text.utf8)[...]
        while !bytes.isEmpty {
            let count = unsafe bytes.withUnsafeBytes { unsafe Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count >= 0 {
                bytes.removeFirst(count)
            } else if errno == EAGAIN {
                var request = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                _ = unsafe poll(&request, 1, -1)
            } else if errno != EINTR {
                return
            }
        }
    }

    /// A line on the standard error.
    static func complain(_ message: String) { write("whirl: \(message)\n", to: STDERR_FILENO) }
}
