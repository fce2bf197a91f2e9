import CWhirlCrypto
import Glibc
import WhirlCore

/// The names on the disk.
extension PartFile {
    /// The file, made where there was none and locked, and whether it is empty.
    func open() throws(TransferError) -> (file: Int32, isEmpty: Bool) {
        let flags = O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK
        // A text that is an argument itself would be copied for the call.
        var file = unsafe part.withCString { unsafe Glibc.open($0, flags, 0o666) }
        if file < 0, errno == ENOENT {
            try makeFolders(of: part)
            file = unsafe Glibc.open(part, flags, 0o666)
        }
        guard file >= 0 else { throw openError(errno, "create") }
        return (file, try lock(file) == 0)
    }

    func openError(_ number: Int32, _ action: String) -> TransferError {
        [ELOOP, EISDIR, ENXIO].contains(number) ? Self.isInTheWay(part) : fileError(number, action, part)
    }

    static func isInTheWay(_ part: String) -> TransferError {
        TransferError(.io, "\(part) is in the way: it is no regular file; take it away, or choose another name")
    }

    /// Locks the open file, which is closed when that fails; returns its size.
    ///
    /// Its last owner may have renamed it before the lock: the path must still name it.
    func lock(_ file: Int32) throws(TransferError) -> Int64 {
        var there = stat()
        var here = stat()
        let isLocked = flock(file, LOCK_EX | LOCK_NB) == 0
        let isKnown = unsafe part.withCString { unsafe lstat($0, &there) == 0 && fstat(file, &here) == 0 }
        if isKnown, here.st_mode & S_IFMT != S_IFREG {
            _ = Glibc.close(file)
            throw Self.isInTheWay(part)
        }
        guard isLocked, isKnown, there.st_ino == here.st_ino, there.st_dev == here.st_dev else {
            _ = Glibc.close(file)
            throw TransferError(.io, "\(part) is being written by another process; wait for it, or choose another name")
        }
        return Int64(here.st_size)
    }

    private func makeFolders(of path: String) throws(TransferError) {
        var position = path.startIndex
        while let slash = path.utf8[path.utf8.index(after: position)...].firstIndex(of: 0x2F) {
            let folder = String(path[..<slash])
            guard unsafe mkdir(folder, 0o777) == 0 || errno == EEXIST else { throw fileError(errno, "create", folder) }
            position = slash
        }
    }

    /// Throws `disk_full` for more bytes than there is room for: better now than after hours.
    func checkSpace(_ file: Int32, _ remaining: Int64) throws(TransferError) {
        var status = statvfs()
        guard remaining > Self.statelessSize, unsafe fstatvfs(file, &status) == 0 else { return }
        let free = Int64(clamping: UInt64(status.f_bavail) &* UInt64(status.f_frsize))
        guard remaining > free else { return }
        throw TransferError(.diskFull, "\(part) needs \(remaining) more bytes, and there is room for \(free)")
    }

    /// Whether the file system has no disk.
    static func isInMemory(_ file: Int32) -> Bool {
        var status = statfs()
        return unsafe fstatfs(file, &status) == 0 && [WHIRL_TMPFS, WHIRL_RAMFS].contains(status.f_type)
    }

    static func folder(of path: String) -> String {
        path.lastSlash.map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
    }

    /// Makes the names in a folder survive a loss of power.
    static func sync(folder: String) {
        let file = unsafe Glibc.open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard file >= 0 else { return }
        fsync(file)
        _ = Glibc.close(file)
    }

    /// Takes the final name, and returns it.
    ///
    /// Unless existing files are to be overwritten, one that appeared meanwhile stays.
    func rename(to path: String) throws(TransferError) -> String {
        if onExists == .overwrite {
            guard unsafe Glibc.rename(part, path) == 0 else { throw fileError(errno, "rename to", path) }
            return path
        }
        var name = path
        var number = 2
        while !renameUnlessThere(name) {
            if [EINVAL, ENOSYS].contains(errno), unsafe link(part, name) == 0 {  // a file system without that call
                _ = unsafe unlink(part)
                return name
            }
            guard errno == EEXIST, onExists == .rename else {
                throw errno == EEXIST
                    ? TransferError(
                        .io, "\(path) appeared while it was being fetched; take it away, or the bytes from \(part)")
                    : fileError(errno, "rename to", name)
            }
            name = FileName.numbered(path, number)
            number += 1
        }
        return name
    }

    private func renameUnlessThere(_ name: String) -> Bool {
        unsafe part.withCString { part in
            unsafe name.withCString { unsafe renameat2(AT_FDCWD, part, AT_FDCWD, $0, WHIRL_RENAME_NOREPLACE) == 0 }
        }
    }
}
