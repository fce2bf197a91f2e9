import Glibc
import WhirlBoard
import WhirlCore

/// A listening socket of the file system, for processes of the same user.
struct ControlSocket: Sendable {
    let descriptor: Int32
    private let path: String
    private let device: dev_t
    private let number: ino_t

    /// Makes it, in place of one that nobody listens on any more.
    ///
    /// Throws `usage` when that can't be, or another process listens there.
    init(_ path: String) throws(TransferError) {
        var address = sockaddr_un()
        guard path.utf8.count < MemoryLayout.size(ofValue: address.sun_path), !path.utf8.contains(0) else {
            throw TransferError(
                .usage,
                "the socket \(clean(path)) can't be made: its path may have at most "
                    + "\(MemoryLayout.size(ofValue: address.sun_path) - 1) bytes; a relative one is shorter")
        }
        address.sun_family = sa_family_t(AF_UNIX)
        unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: path.utf8) }
        // Two that find the same stale socket would take each other's place.
        let folder = Self.lockFolder(of: path)
        defer { if folder >= 0 { close(folder) } }
        try Self.makeRoom(at: path, address)
        let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
        let descriptor = socket(AF_UNIX, kind, 0)
        // On Linux the file gets the socket's own mode: there is no moment at which others could connect.
        fchmod(descriptor, 0o600)
        guard descriptor >= 0, unsafe Self.call(bind, descriptor, address) == 0 else {
            throw Self.failure(path, descriptor)
        }
        var status = stat()
        guard unsafe lstat(path, &status) == 0 else { throw Self.failure(path, descriptor) }
        self.descriptor = descriptor
        self.path = path
        (device, number) = (status.st_dev, status.st_ino)
        if status.st_mode & 0o777 != 0o600 { unsafe chmod(path, 0o600) }
        guard listen(descriptor, 16) == 0 else {
            remove()
            throw Self.failure(path, descriptor)
        }
    }

    /// Takes its file away, unless another one stands there now.
    func remove() {
        var status = stat()
        guard unsafe lstat(path, &status) == 0, status.st_dev == device, status.st_ino == number else { return }
        unsafe unlink(path)
    }

    /// The next connection of a process that may have one; nil when nobody waits, with the reason why nobody is seen.
    func accept() -> (connection: Int32?, reason: Int32) {
        while true {
            let connection = Glibc.accept(descriptor, nil, nil)
            if connection < 0 {
                let reason = errno
                if reason != EINTR, reason != ECONNABORTED { return (nil, reason) }
            } else if Self.isOfSameUser(connection) {
                _ = fcntl(connection, F_SETFD, FD_CLOEXEC)
                return (connection, 0)
            } else {
                close(connection)
            }
        }
    }

    /// Whether whoever has connected is this user, or the superuser.
    private static func isOfSameUser(_ connection: Int32) -> Bool {
        var peer: (process: pid_t, user: uid_t, group: gid_t) = (0, .max, .max)
        var size = socklen_t(MemoryLayout.size(ofValue: peer))
        guard unsafe getsockopt(connection, SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0 else { return false }
        return peer.user == geteuid() || peer.user == 0
    }

    /// Removes a socket that nobody listens on; throws when something else is there.
    private static func makeRoom(at path: String, _ address: sockaddr_un) throws(TransferError) {
        var status = stat()
        guard unsafe lstat(path, &status) == 0 else { return }
        guard status.st_mode & S_IFMT == S_IFSOCK else {
            throw TransferError(.usage, "\(clean(path)) exists and is no socket; name another path")
        }
        let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
        let probe = socket(AF_UNIX, kind, 0)
        defer { close(probe) }
        let isConnected = unsafe call(connect, probe, address) == 0
        let reason = errno
        guard !isConnected, reason == ECONNREFUSED else {
            let words = LineWriter.Failure(number: reason, written: 0).description
            let why = isConnected || reason == EAGAIN ? "another process listens there" : words
            throw TransferError(.usage, "the socket \(clean(path)) is taken: \(why); name another path")
        }
        unsafe unlink(path)
    }

    private static func failure(_ path: String, _ descriptor: Int32) -> TransferError {
        let error = TransferError(
            .usage, "the socket \(clean(path)) can't be made", number: errno, advice: "choose another place")
        if descriptor >= 0 { close(descriptor) }
        return error
    }

    /// The path's folder, locked for a moment against others who make sockets; -1 when that can't be.
    private static func lockFolder(of path: String) -> Int32 {
        let name = path.lastIndex(of: "/").map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
        let folder = unsafe open(name, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard folder >= 0 else { return -1 }
        for _ in 0..<100 where flock(folder, LOCK_EX | LOCK_NB) != 0 { _ = poll(nil, 0, 10) }
        return folder
    }

    private static func call(
        _ body: (Int32, UnsafePointer<sockaddr>?, socklen_t) -> Int32, _ descriptor: Int32, _ address: sockaddr_un
    ) -> Int32 {
        unsafe withUnsafeBytes(of: address) { bytes in
            unsafe body(
                descriptor, bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self), socklen_t(bytes.count))
        }
    }
}
