import Glibc

/// A process of ours, and what it prints.
struct Child {
    let process: pid_t
    /// The reading end of its standard output.
    let output: Int32
    /// What `waitpid` tells; nil while it has not ended.
    private var status: Int32?

    init(process: pid_t, output: Int32) {
        self.process = process
        self.output = output
        _ = fcntl(output, F_SETFL, fcntl(output, F_GETFL) | O_NONBLOCK)
    }

    /// How long nothing is looked at while nothing comes, in milliseconds: who ends tells nobody.
    private static let nap: Int32 = 10

    /// What it prints before it ends, which somebody else may hold the writing end beyond.
    mutating func read(atMost limit: Int, until deadline: ContinuousClock.Instant) -> [UInt8] {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4096)
        while bytes.count < limit {
            // Asked first: what it printed before it ended is in the pipe then.
            let isOver = hasEnded || ContinuousClock.now > deadline
            let count = unsafe Glibc.read(output, &buffer, buffer.count)
            if count > 0 {
                bytes += buffer.prefix(count)
            } else if count == 0 || errno != EAGAIN && errno != EINTR || isOver {
                break
            } else {
                var entry = pollfd(fd: output, events: Int16(POLLIN), revents: 0)
                unsafe poll(&entry, 1, Self.nap)
            }
        }
        return bytes
    }

    /// How it ended; nil when it has not.
    mutating func wait(until deadline: ContinuousClock.Instant) -> Int32? {
        while !hasEnded, ContinuousClock.now < deadline { _ = poll(nil, 0, Self.nap) }
        return status
    }

    /// Ends it.
    mutating func kill() {
        _ = Glibc.kill(process, SIGKILL)
        _ = wait(until: .now + .seconds(1))
    }

    private var hasEnded: Bool {
        mutating get {
            guard status == nil else { return true }
            var status: Int32 = 0
            switch unsafe waitpid(process, &status, WNOHANG) {
            case process: self.status = status
            // Where whoever started us ignores CHLD, the system keeps no word of how it ended.
            case -1 where errno == ECHILD: self.status = 0
            default: break
            }
            return self.status != nil
        }
    }
}
