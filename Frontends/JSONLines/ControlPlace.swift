import Glibc
import WhirlBoard
public import WhirlCore

/// Where commands come from.
public enum ControlPlace: Equatable, Sendable {
    /// An open descriptor, which stays open.
    case descriptor(Int32)
    /// A file; a FIFO stays open for one writer after the other.
    case file(String)
    /// A socket that is made there; who connects also sees the stream.
    case socket(String)

    /// Reads `fd:N`, `unix:PATH` or the path of a file.
    public init(_ text: String) throws(TransferError) {
        if text.hasPrefix("unix:") {
            let path = String(text.dropFirst(5))
            guard !path.isEmpty else { throw TransferError(.usage, "unix: names no path; write it as unix:run.socket") }
            self = .socket(path)
        } else if text.hasPrefix("fd:") {
            guard let number = Int32(text.dropFirst(3)), number >= 0 else {
                throw TransferError(.usage, "\(clean(text)) is no descriptor; write fd: and a number, such as fd:3")
            }
            self = .descriptor(number)
        } else {
            self = .file(text)
        }
    }

    /// The descriptor that commands are read from; nil for a socket.
    func open() throws(TransferError) -> Int32? {
        switch self {
        case .socket: return nil
        case .descriptor(let descriptor):
            let flags = fcntl(descriptor, F_GETFL)
            guard flags >= 0, flags & O_ACCMODE != O_WRONLY else {
                throw TransferError(
                    .usage,
                    "commands can't be read: fd:\(descriptor) is not open for reading; whoever starts whirl has to open it"
                )
            }
            guard kind(of: descriptor) != S_IFDIR else {
                throw TransferError(
                    .usage, "commands can't be read from fd:\(descriptor): it is a folder; name a file, or unix:PATH")
            }
            return descriptor
        case .file(let path): return try open(path)
        }
    }

    private func open(_ path: String) throws(TransferError) -> Int32 {
        var status = stat()
        let isPipe = unsafe stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFIFO
        // With an end for writing of our own a FIFO has no end between two writers.
        let descriptor = unsafe Glibc.open(path, (isPipe ? O_RDWR : O_RDONLY) | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
        guard descriptor >= 0 else {
            throw TransferError(
                .usage, "commands can't be read from \(clean(path))", number: errno,
                advice: "look whether the name is right")
        }
        guard kind(of: descriptor) != S_IFDIR else {
            close(descriptor)
            throw TransferError(
                .usage, "commands can't be read from \(clean(path)): it is a folder; name a file, or unix:PATH")
        }
        return descriptor
    }

    private func kind(of descriptor: Int32) -> mode_t? {
        var status = stat()
        return unsafe fstat(descriptor, &status) == 0 ? status.st_mode & S_IFMT : nil
    }
}
