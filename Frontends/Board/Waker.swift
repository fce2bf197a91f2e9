import Glibc
import Synchronization
public import WhirlCore

/// Wakes the one thread that waits on it; may be told from any thread, never blocks.
public final class Waker: Sendable {
    /// Becomes readable when told: for a thread that also waits for others.
    public let descriptor: Int32
    private let entrance: Int32
    private let isTold = Atomic(false)

    /// A waker that nobody has told.
    ///
    /// Throws `io` when there are no descriptors left.
    public init() throws(TransferError) {
        var ends: [Int32] = [-1, -1]
        guard unsafe pipe(&ends) == 0 else {
            throw TransferError(
                .io, "no pipe for a frontend's thread", number: errno,
                advice: "raise the limit of open files (ulimit -n)")
        }
        for end in ends {
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
        }
        (descriptor, entrance) = (ends[0], ends[1])
    }

    deinit {
        close(descriptor)
        close(entrance)
    }

    /// Ends the wait under way, or else the next one.
    public func wake() {
        guard !isTold.exchange(true, ordering: .acquiringAndReleasing) else { return }
        var byte: UInt8 = 1
        _ = unsafe write(entrance, &byte, 1)
    }

    /// Waits until told, but at most until `seconds` have passed; nil: without limit.
    public func wait(atMost seconds: Double?) {
        let milliseconds = seconds.map { Int32((max(0, min($0, 86400)) * 1000).rounded(.up)) } ?? -1
        var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        if unsafe poll(&entry, 1, milliseconds) > 0 { clear() }
    }

    /// Forgets that it was told; what was told about must be looked at after this.
    public func clear() {
        var byte: UInt8 = 0
        _ = unsafe read(descriptor, &byte, 1)
        isTold.store(false, ordering: .sequentiallyConsistent)
    }
}
