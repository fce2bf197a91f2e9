import CWhirlCrypto
import Glibc
import Synchronization
import WhirlCore

/// A regular file under its temporary name, `NAME.part`: the final name appears only by rename, when all is right.
///
/// - It is locked against other processes from the first byte to the end.
/// - Bytes are collected into 128 KiB and written with `pwrite`; a body that comes in one piece is written at once.
/// - Beside it `NAME.part.state` tells a later run what the bytes are, where they are many.
final class PartFile: ByteSink {
    static let suffix = ".part"
    static let stateSuffix = ".part.state"
    /// A body of fewer bytes is fetched again sooner than its state is written.
    static let statelessSize: Int64 = 1 << 20

    /// Whether a body of that length (nil: unknown) is worth a state.
    static func keepsState(_ total: Int64?) -> Bool { total ?? .max > statelessSize }

    private struct State: ~Copyable, Sendable {
        var writer: FileWriter
        /// Whether the file system has no disk; nil: nobody has asked yet.
        var isInMemory: Bool?
        /// As it is on the disk; nil: there is none that could be read.
        var saved: PartState?
        /// Whether there may be one on the disk.
        var mayBeSaved = false
        /// Changes when bytes are thrown away.
        var generation = 0
    }
    private let state: Mutex<State>
    let path: String
    /// The temporary name.
    let part: String
    /// Without userinfo and fragment.
    private let url: String
    let onExists: SessionConfiguration.OnExists
    private let isDurable: Bool

    /// The file that becomes `path`, with bytes from `url`, which has no userinfo and no fragment.
    ///
    /// It shares `behind` with others.
    init(
        _ path: String, from url: String, onExists: SessionConfiguration.OnExists, isDurable: Bool,
        _ behind: WriteBehind = WriteBehind()
    ) {
        state = Mutex(State(writer: FileWriter(behind, syncs: isDurable)))
        self.path = path
        part = path + Self.suffix
        self.url = url
        self.onExists = onExists
        self.isDurable = isDurable
    }

    deinit { close() }

    private var statePath: String { path + Self.stateSuffix }

    // MARK: what an earlier run left

    /// What is there of an earlier run, which is locked from here on; `mirrors` are other URLs of the same bytes.
    ///
    /// Throws `io` when another process has it.
    func leftover(
        _ resume: SessionConfiguration.Resume, hasDigest: Bool, mirrors: [String] = []
    ) throws(TransferError) -> Leftover {
        try state.withLock { state throws(TransferError) in
            let file = unsafe part.withCString { unsafe Glibc.open($0, O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK) }
            if file < 0, errno == ENOENT { return .none }
            guard file >= 0 else { throw openError(errno, "open") }
            let size = try lock(file)
            state.writer.file = file
            state.mayBeSaved = true
            guard size > 0 else { return .none }
            let (leftover, saved) = Self.judge(statePath, size: size, [url] + mirrors, resume, hasDigest: hasDigest)
            state.saved = saved
            return leftover
        }
    }

    /// The same for who only looks: nothing is locked; `urls` are those of the request, its own first.
    static func peek(
        at path: String, _ urls: [String], _ resume: SessionConfiguration.Resume, hasDigest: Bool
    ) throws(TransferError) -> Leftover {
        let part = path + suffix
        var status = stat()
        guard unsafe lstat(part, &status) == 0 else { return .none }
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw isInTheWay(part)
        }
        guard status.st_size > 0 else { return .none }
        return judge(path + stateSuffix, size: Int64(status.st_size), urls, resume, hasDigest: hasDigest).leftover
    }

    /// What a file of so many bytes is worth, by the state beside it, which comes with it where it can be read.
    private static func judge(
        _ statePath: String, size: Int64, _ urls: [String], _ resume: SessionConfiguration.Resume, hasDigest: Bool
    ) -> (leftover: Leftover, saved: PartState?) {
        do throws(PartState.Flaw) {
            let saved = try PartState(at: statePath)
            let mirror = urls.firstIndex { Digest.sha256($0) == saved.key }
            let key = mirror == nil ? Digest.sha256(urls[0]) : saved.key
            let leftover = Leftover(saved, size: size, key: key, resume, hasDigest: hasDigest)
            guard case .point(var point) = leftover else { return (leftover, saved) }
            point.mirror = mirror ?? -1
            return (.point(point), saved)
        } catch {
            return (Leftover(error, size: size, statePath, resume), nil)
        }
    }

    // MARK: bytes

    func begin(at offset: Int64, _ plan: BodyPlan) throws(TransferError) {
        try state.withLock { state throws(TransferError) in
            if state.writer.file < 0 { (state.writer.file, state.writer.isEmpty) = try open() }
            if let total = plan.total { try checkSpace(state.writer.file, total - offset) }
            let isCut = offset == 0 || offset != state.writer.end
            if isCut { state.generation += 1 }
            let failure = state.writer.begin(at: offset, isCut: isCut, plan.algorithms)
            if failure != 0 { throw fileError(failure, "write to", part) }
            save(&state, plan, at: offset)
        }
    }

    /// Says on the disk what the bytes are, before the first of them comes.
    ///
    /// What can't be said is taken away: a state that is out of date would let another run mix two files.
    private func save(_ state: inout State, _ plan: BodyPlan, at offset: Int64) {
        guard Self.keepsState(plan.total) else { return forget(&state) }
        let url = plan.url ?? self.url
        var wanted = PartState(
            key: Digest.sha256(url), url: Redaction.url(url), validator: plan.validator, total: plan.total,
            served: plan.served)
        if let saved = state.saved, offset > 0 { wanted.synced = min(offset, saved.synced) }
        guard wanted != state.saved else { return }
        let outlivesPower = isDurable && state.saved?.synced ?? 0 > 0
        state.mayBeSaved = true
        guard wanted.write(to: statePath) == 0 else { return forget(&state) }
        state.saved = wanted
        if outlivesPower, offset == 0 { Self.sync(folder: Self.folder(of: path)) }
    }

    private func forget(_ state: inout State) {
        guard state.mayBeSaved else { return }
        PartState.remove(at: statePath)
        if isDurable, state.saved?.synced ?? 0 > 0 { Self.sync(folder: Self.folder(of: path)) }
        state.mayBeSaved = false
        state.saved = nil
    }

    func write(_ bytes: borrowing RawSpan, isLast: Bool) throws(TransferError) {
        let failure = unsafe bytes.withUnsafeBytes { bytes in
            state.withLock { state in unsafe state.writer.take(bytes, isLast: isLast) }
        }
        if failure != 0 { throw fileError(failure, "write to", part) }
    }

    func flush() throws(TransferError) {
        let failure = state.withLock { state in
            let failure = state.writer.flush()
            if failure == 0 { state.writer.rest() }
            return failure
        }
        if failure != 0 { throw fileError(failure, "write to", part) }
    }

    // MARK: the end

    func digests(_ algorithms: Set<DigestAlgorithm>) throws(TransferError) -> [DigestAlgorithm: String] {
        try flush()
        let (running, file, offset) = state.withLock { ($0.writer.digests, $0.writer.file, $0.writer.offset) }
        if let running, running.count == offset, running.algorithms.isSuperset(of: algorithms) {
            return running.finish()
        }
        return try FileDigests.of(file, algorithms, part)
    }

    var isOnDisk: Bool {
        isDurable
            && state.withLock { state in
                guard state.writer.file >= 0 else { return false }
                let isInMemory = state.isInMemory ?? Self.isInMemory(state.writer.file)
                state.isInMemory = isInMemory
                return !isInMemory
            }
    }

    func sync() throws(TransferError) {
        try flush()
        let file = state.withLock { $0.writer.file }
        guard fdatasync(file) == 0 else { throw fileError(errno, "sync", part) }
    }

    func checkpoint() {
        let (copy, offset, generation) = state.withLock { state -> (Int32, Int64, Int) in
            guard state.saved != nil, state.writer.wait() == 0 else { return (-1, 0, 0) }
            return (dup(state.writer.file), state.writer.offset, state.generation)
        }
        guard copy >= 0 else { return }
        defer { _ = Glibc.close(copy) }
        guard fdatasync(copy) == 0 else { return }
        state.withLock { state in
            guard state.generation == generation, var saved = state.saved, offset > saved.synced else { return }
            saved.synced = offset
            if saved.write(to: statePath) == 0 { state.saved = saved }
        }
    }

    func commit(_ finish: Finish) throws(TransferError) -> String {
        try flush()
        let file = state.withLock { $0.writer.file }
        if let modified = finish.modified {
            let leaveAsIs = (1 << 30) - 2  // UTIME_OMIT, a macro that Swift does not see
            var times = [timespec(tv_sec: 0, tv_nsec: leaveAsIs), timespec(tv_sec: Int(modified), tv_nsec: 0)]
            unsafe futimens(file, &times)
        }
        _ = finish.marks?.write(to: file)  // without them the next run fetches it again
        let name = try rename(to: finish.path)
        state.withLock { state in
            if state.mayBeSaved { PartState.remove(at: statePath) }
            state.writer.close()
        }
        return name
    }

    func reject() {
        let rejection = PartState(key: PartState.rejected, url: Redaction.url(url), validator: nil, total: nil)
        state.withLock { state in
            state.mayBeSaved = true
            if rejection.write(to: statePath) == 0 { state.saved = rejection } else { forget(&state) }
        }
    }

    /// What is there stays, for another run; an empty file does not.
    func close() {
        try? flush()
        state.withLock { state in
            guard state.writer.file >= 0 else { return }
            var status = stat()
            if unsafe fstat(state.writer.file, &status) == 0, status.st_size == 0 {
                _ = unsafe unlink(part)
                forget(&state)
            }
            // A child that has not yet become its program has a copy of the descriptor, which would keep the lock.
            flock(state.writer.file, LOCK_UN)
            state.writer.close()
        }
    }
}
