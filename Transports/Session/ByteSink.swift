import Glibc
import WhirlCore

/// What is known of a body before its first byte.
struct BodyPlan: Sendable {
    /// The length of the whole file; nil: unknown.
    var total: Int64?
    /// What proves, in another run, that the rest still fits; nil: nothing does.
    var validator: Validator?
    /// What the server says the whole file hashes to.
    var served: [DigestAlgorithm: String] = [:]
    /// Where the bytes come from, without userinfo and fragment; nil: from the URL that the sink was made with.
    var url: String?
    /// The digests that will be asked for.
    var algorithms: Set<DigestAlgorithm> = []
}

/// What a file gets with its name.
struct Finish: Sendable {
    /// The name.
    var path: String
    /// Seconds since 1970 of its last change; nil: as it is.
    var modified: Int64?
    var marks: FileMarks?
}

/// Where the bytes of one task go, from its first accepted head to its end.
///
/// Any thread, one call at a time but for `flush()`, `checkpoint()` and `close()`.
protocol ByteSink: AnyObject, Sendable {
    /// Bytes in hand are thrown away beyond `offset`; the next go there. Throws when that can't be done.
    func begin(at offset: Int64, _ plan: BodyPlan) throws(TransferError)
    /// Takes the next bytes. `isLast`: no more are expected.
    func write(_ bytes: borrowing RawSpan, isLast: Bool) throws(TransferError)
    /// Hands what is collected to the system.
    func flush() throws(TransferError)
    /// The digests of all bytes, which may take as long as reading them.
    func digests(_ algorithms: Set<DigestAlgorithm>) throws(TransferError) -> [DigestAlgorithm: String]
    /// Whether the bytes can be synced: those of a device can't, and a file system in memory has nothing to sync to.
    ///
    /// Known from the first accepted head to the last call of `commit(_:)`.
    var isOnDisk: Bool { get }
    /// Returns when the bytes are on the disk.
    func sync() throws(TransferError)
    /// The same in the middle of a transfer, for a run after a loss of power; what fails is left.
    func checkpoint()
    /// All bytes are there and right: gives them their place, and returns its path. Throws when that can't be done.
    func commit(_ finish: Finish) throws(TransferError) -> String
    /// The bytes are wrong: no run goes on with them.
    func reject()
    /// No more bytes come; what is there stays where that makes sense.
    func close()
    /// A call that waits for somebody else, such as the reader of a FIFO, is to fail soon.
    ///
    /// Any thread, also during another call.
    func abandon()
}

extension ByteSink {
    /// By default no call waits for long.
    func abandon() {}
}

/// A failure of a system call on a file, in the words of design: full, not allowed, or else.
func fileError(_ number: Int32, _ action: String, _ path: String) -> TransferError {
    let code: TransferError.Code =
        switch number {
        case ENOSPC, EDQUOT: .diskFull
        case EACCES, EPERM, EROFS: .permission
        default: .io
        }
    let reason = unsafe String(cString: strerror(number))
    return TransferError(code, "cannot \(action) \(path): \(reason)", native: Int(number))
}

/// Writes all bytes with as many calls of `write` or `pwrite` (`offset` not nil) as it takes; returns an errno or 0.
///
/// While a descriptor that does not block takes nothing, `isAbandoned` may end the waiting (`EINTR`).
@unsafe func writeAll(
    _ file: Int32, _ bytes: UnsafeRawBufferPointer, at offset: Int64?, unless isAbandoned: () -> Bool = { false }
) -> Int32 {
    var done = 0
    while done < bytes.count {
        let start = unsafe bytes.baseAddress.map { unsafe $0 + done }
        let count =
            if let offset {
                unsafe pwrite(file, start, bytes.count - done, off_t(offset) + done)
            } else {
                unsafe write(file, start, bytes.count - done)
            }
        if count > 0 {
            done += count
        } else if count < 0, errno == EAGAIN {
            var waiting = pollfd(fd: file, events: Int16(POLLOUT), revents: 0)
            unsafe poll(&waiting, 1, 100)
            if isAbandoned() { return EINTR }
        } else if count == 0 || errno != EINTR {
            return count == 0 ? EIO : errno
        }
    }
    return 0
}
