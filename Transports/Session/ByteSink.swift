import Glibc
import WhirlCore

/// Where the bytes of one task go, from its first accepted head to its end.
///
/// Any thread, one call at a time.
protocol ByteSink: AnyObject, Sendable {
    /// Bytes in hand are thrown away beyond `offset`; the next go there. Throws when that can't be done.
    func begin(at offset: Int64) throws(TransferError)
    /// Takes the next bytes. `isLast`: no more are expected.
    func write(_ bytes: borrowing RawSpan, isLast: Bool) throws(TransferError)
    /// Hands what is collected to the system.
    func flush() throws(TransferError)
    /// All bytes are there and right: gives them their place. Throws when that can't be done.
    func commit() throws(TransferError)
    /// No more bytes come; what is there stays where that makes sense.
    func close()
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
@unsafe func writeAll(_ file: Int32, _ bytes: UnsafeRawBufferPointer, at offset: Int64?) -> Int32 {
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
            unsafe poll(&waiting, 1, -1)
        } else if count == 0 || errno != EINTR {
            return count == 0 ? EIO : errno
        }
    }
    return 0
}
