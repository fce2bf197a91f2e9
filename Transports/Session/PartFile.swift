import CWhirlCrypto
import Glibc
import Synchronization
import WhirlCore

/// A regular file under its temporary name, `NAME.part`: the final name appears only by rename, when all is right.
///
/// - It is locked against other processes from the first byte to the end.
/// - Bytes are collected into 256 KiB and written with `pwrite`; a body that comes in one piece is written at once.
final class PartFile: ByteSink {
    static let suffix = ".part"
    private static let capacity = 256 * 1024

    private struct State: ~Copyable, Sendable {
        var file: Int32 = -1
        /// Where the next `pwrite` goes; what is collected comes after it.
        var offset: Int64 = 0
        var collected = Collector(capacity: PartFile.capacity)
    }
    private let state = Mutex(State())
    private let path: String
    private let onExists: SessionConfiguration.OnExists

    init(_ path: String, onExists: SessionConfiguration.OnExists) {
        self.path = path
        self.onExists = onExists
    }

    deinit { close() }

    private var part: String { path + Self.suffix }

    func begin(at offset: Int64) throws(TransferError) {
        try state.withLock { state throws(TransferError) in
            if state.file < 0 { state.file = try open() }
            if offset > 0, offset == state.offset + Int64(state.collected.count) { return }
            state.collected.clear()
            state.offset = offset
            guard ftruncate(state.file, off_t(offset)) == 0 else { throw fileError(errno, "shorten", part) }
        }
    }

    func write(_ bytes: borrowing RawSpan, isLast: Bool) throws(TransferError) {
        let failure = unsafe bytes.withUnsafeBytes { bytes in
            state.withLock { state in unsafe Self.take(bytes, isLast, &state) }
        }
        if failure != 0 { throw fileError(failure, "write to", part) }
    }

    private static func take(_ bytes: UnsafeRawBufferPointer, _ isLast: Bool, _ state: inout State) -> Int32 {
        if state.collected.count == 0, isLast || bytes.count >= capacity {
            let failure = unsafe writeAll(state.file, bytes, at: state.offset)
            if failure == 0 { state.offset += Int64(bytes.count) }
            return failure
        }
        var rest = unsafe bytes[...]
        while unsafe !rest.isEmpty {
            let taken = unsafe state.collected.append(UnsafeRawBufferPointer(rebasing: rest))
            unsafe rest = rest.dropFirst(taken)
            if state.collected.isFull {
                let failure = write(&state)
                if failure != 0 { return failure }
            }
        }
        return 0
    }

    private static func write(_ state: inout State) -> Int32 {
        guard state.collected.count > 0 else { return 0 }
        let failure = unsafe writeAll(state.file, state.collected.bytes, at: state.offset)
        if failure == 0 {
            state.offset += Int64(state.collected.count)
            state.collected.clear()
        }
        return failure
    }

    private func flush(_ state: inout State) throws(TransferError) {
        let failure = Self.write(&state)
        if failure != 0 { throw fileError(failure, "write to", part) }
    }

    func flush() throws(TransferError) {
        try state.withLock { state throws(TransferError) in
            if state.file >= 0 { try flush(&state) }
        }
    }

    func commit() throws(TransferError) {
        try flush()
        try rename()
        release(keeping: true)
    }

    /// What is there stays, for another run; an empty file does not.
    func close() {
        try? flush()
        release(keeping: false)
    }

    private func release(keeping isWhole: Bool) {
        state.withLock { state in
            guard state.file >= 0 else { return }
            var status = stat()
            if !isWhole, unsafe fstat(state.file, &status) == 0, status.st_size == 0 { _ = unsafe unlink(part) }
            _ = Glibc.close(state.file)
            state.file = -1
            state.collected = Collector(capacity: Self.capacity)
        }
    }

    // MARK: names

    private func open() throws(TransferError) -> Int32 {
        let flags = O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW
        var file = unsafe Glibc.open(part, flags, 0o666)
        if file < 0, errno == ENOENT {
            try makeFolders(of: part)
            file = unsafe Glibc.open(part, flags, 0o666)
        }
        guard file >= 0 else { throw fileError(errno, "create", part) }
        guard flock(file, LOCK_EX | LOCK_NB) == 0, Self.isStill(part, file) else {
            _ = Glibc.close(file)
            throw TransferError(.io, "\(part) is being written by another process")
        }
        return file
    }

    /// Whether the path still names the file that was opened: its last owner may have renamed it before the lock.
    private static func isStill(_ path: String, _ file: Int32) -> Bool {
        var there = stat()
        var here = stat()
        guard unsafe lstat(path, &there) == 0, unsafe fstat(file, &here) == 0 else { return false }
        return there.st_ino == here.st_ino && there.st_dev == here.st_dev
    }

    private func makeFolders(of path: String) throws(TransferError) {
        var position = path.startIndex
        while let slash = path[path.index(after: position)...].firstIndex(of: "/") {
            let folder = String(path[..<slash])
            guard unsafe mkdir(folder, 0o777) == 0 || errno == EEXIST else { throw fileError(errno, "create", folder) }
            position = slash
        }
    }

    /// Takes the final name.
    ///
    /// Unless existing files are to be overwritten, one that appeared meanwhile stays.
    private func rename() throws(TransferError) {
        if onExists == .overwrite {
            guard unsafe Glibc.rename(part, path) == 0 else { throw fileError(errno, "rename to", path) }
            return
        }
        var name = path
        var number = 2
        while unsafe renameat2(AT_FDCWD, part, AT_FDCWD, name, WHIRL_RENAME_NOREPLACE) != 0 {
            guard errno == EEXIST, onExists == .rename else {
                throw errno == EEXIST
                    ? TransferError(.io, "\(path) appeared while it was being fetched; the bytes are in \(part)")
                    : fileError(errno, "rename to", name)
            }
            name = FileName.numbered(path, number)
            number += 1
        }
    }
}
