import Glibc
import Synchronization
import WhirlCore

/// A device, FIFO, socket or the standard output: bytes go straight there and can't be taken back.
final class InPlaceFile: ByteSink {
    private struct State {
        var file: Int32 = -1
        var written: Int64 = 0
        var digests: BodyDigests?
    }
    private let state = Mutex(State())
    private let isAbandoned = Atomic(false)
    private let path: String
    private let isStandardOutput: Bool

    init(_ destination: Destination) {
        path = destination.path
        isStandardOutput = destination.isStandardOutput
    }

    deinit { close() }

    func begin(at offset: Int64, _ plan: BodyPlan) throws(TransferError) {
        if offset > 0 { isAbandoned.store(false, ordering: .relaxed) }  // that was an attempt before
        try state.withLock { state throws(TransferError) in
            if state.file < 0 {
                state.file = isStandardOutput ? Self.openStandardOutput() : try open()
            }
            let isForgetful = Self.forgets(state.file)
            if offset == 0, state.written == 0 || isForgetful { state.digests = BodyDigests(plan.algorithms) }
            guard offset != state.written, !isForgetful else { return }
            throw TransferError(
                .changed,
                "it can't start over: \(state.written) bytes have gone to \(shownPath) already; fetch it to a file")
        }
    }

    /// Waits for a FIFO's reader, unless it is abandoned.
    private func open() throws(TransferError) -> Int32 {
        while true {
            let file = unsafe Glibc.open(path, O_WRONLY | O_CLOEXEC | O_NONBLOCK)
            if file >= 0 { return file }
            guard errno == ENXIO, Self.isFIFO(path) else { throw fileError(errno, "open", path) }
            guard !isAbandoned.exchange(false, ordering: .relaxed) else { throw fileError(EINTR, "open", path) }
            _ = poll(nil, 0, Self.patience)  // a reader that comes tells nobody
        }
    }

    /// A pipe once more, for us alone, so that it does not block: others may have the same standard output.
    private static func openStandardOutput() -> Int32 {
        let name = "/proc/self/fd/1"
        guard isFIFO(name) else { return STDOUT_FILENO }
        let file = unsafe Glibc.open(name, O_WRONLY | O_CLOEXEC | O_NONBLOCK)
        return file >= 0 ? file : STDOUT_FILENO
    }

    /// Milliseconds until what is waited for is looked at again.
    private static let patience: Int32 = 20

    private static func isFIFO(_ path: String) -> Bool {
        var status = stat()
        return unsafe stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFIFO
    }

    func write(_ bytes: borrowing RawSpan, isLast: Bool) throws(TransferError) {
        let count = bytes.byteCount
        let failure = unsafe bytes.withUnsafeBytes { bytes in
            state.withLock { state in
                let failure = unsafe writeAll(state.file, bytes, at: nil) { isAbandoned.load(ordering: .relaxed) }
                if failure == 0 {
                    state.written += Int64(count)
                    unsafe state.digests?.update(bytes)
                }
                return failure
            }
        }
        if failure == EPIPE {
            throw TransferError(.cancelled, "nobody reads \(shownPath) any more", native: Int(failure))
        }
        if failure != 0 { throw fileError(failure, "write to", shownPath) }
    }

    func flush() {}

    /// None of bytes that were not all seen: they can't be read again.
    func digests(_ algorithms: Set<DigestAlgorithm>) -> [DigestAlgorithm: String] {
        state.withLock { state in
            guard let digests = state.digests, digests.count == state.written else { return [:] }
            return digests.finish()
        }
    }

    var isOnDisk: Bool { false }
    func sync() {}
    func checkpoint() {}
    func reject() {}

    func commit(_ finish: Finish) -> String {
        close()
        return finish.path
    }

    func abandon() { isAbandoned.store(true, ordering: .relaxed) }

    func close() {
        state.withLock { state in
            if state.file >= 0, state.file != STDOUT_FILENO { _ = Glibc.close(state.file) }
            state.file = -1
        }
    }

    private var shownPath: String { isStandardOutput ? "the standard output" : path }

    /// A character device such as `/dev/null` does not care what went before.
    private static func forgets(_ file: Int32) -> Bool {
        var status = stat()
        return unsafe fstat(file, &status) == 0 && status.st_mode & S_IFMT == S_IFCHR && isatty(file) == 0
    }
}
