import Glibc
public import WhirlCore

/// Writes whole lines to a descriptor.
///
/// - Waits until all is written: interrupted calls are repeated, a full non-blocking pipe is waited for.
/// - Never raises SIGPIPE on a thread that blocks it, see ``WorkerThread``.
/// - Not for two threads at once.
public struct LineWriter: Sendable {
    /// The system call, or what a test puts in its place: how many bytes were written, or the negative `errno`.
    public typealias Call = @Sendable (_ descriptor: Int32, _ bytes: RawSpan) -> Int

    /// Why a write ended early.
    public struct Failure: Error, Equatable, CustomStringConvertible {
        /// The `errno`.
        public let number: Int32
        /// Bytes that were written all the same.
        public let written: Int

        /// A failure.
        public init(number: Int32, written: Int) {
            self.number = number
            self.written = written
        }

        /// Whoever read is gone.
        public var isReaderGone: Bool { number == EPIPE || number == ECONNRESET }
        /// The system's words.
        public var description: String { describe(number) }
    }

    /// Where to.
    public let descriptor: Int32
    private let call: Call

    /// A writer to an open descriptor, by `write(2)`; it does not close it.
    public init(_ descriptor: Int32) {
        self.init(descriptor) { descriptor, bytes in
            unsafe bytes.withUnsafeBytes { bytes in
                guard let start = bytes.baseAddress else { return 0 }
                let count = unsafe Glibc.write(descriptor, start, bytes.count)
                return count < 0 ? -Int(errno) : count
            }
        }
    }

    /// A writer by another call.
    public init(_ descriptor: Int32, call: @escaping Call) {
        self.descriptor = descriptor
        self.call = call
    }

    /// Writes one or more lines, each with its line feed.
    public func write(_ lines: [UInt8]) throws(Failure) { try write(lines[...]) }

    /// The same of a part.
    public func write(_ lines: ArraySlice<UInt8>) throws(Failure) {
        var written = 0
        while written < lines.count {
            let count = unsafe call(descriptor, lines.span.bytes.extracting(droppingFirst: written))
            switch Int32(truncatingIfNeeded: -count) {
            case EINTR: continue
            case EAGAIN, 0: waitForRoom()
            case let number where number > 0: throw Failure(number: number, written: written)
            default: written += count
            }
        }
    }

    private func waitForRoom() {
        var entry = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        _ = unsafe poll(&entry, 1, 1000)
    }
}

extension TransferError {
    /// What the system would not do, its own words why, and what to do about it.
    public init(_ code: Code, _ what: String, number: Int32, advice: String) {
        self.init(code, "\(what): \(describe(number)); \(advice)", native: Int(number))
    }
}

private func describe(_ number: Int32) -> String { unsafe String(cString: strerror(number)) }
