import Glibc

/// The bytes of one file on their way to the disk: collected into large pieces, digested, and written in order.
///
/// Calls are serial; failures are told as an errno, or 0.
struct FileWriter: ~Copyable {
    /// More is no faster for whoever writes it himself, and where the system has to look for large pieces of memory slower.
    static let capacity = 128 * 1024

    /// The open file; -1: none.
    var file: Int32 = -1
    /// Whether the file has no bytes yet.
    var isEmpty = false
    /// Where the next piece goes; what is collected comes after it.
    private(set) var offset: Int64 = 0
    private var collected: Collector?
    /// Nil: none are asked for, or the beginning was not seen.
    private(set) var digests: BodyDigests?
    private let behind: WriteBehind
    private let syncs: Bool
    /// Made when the first piece is full: the file is a large one.
    private var backlog: WriteBehind.Backlog?
    /// Pieces that were handed over and not waited for.
    private var handedOver = 0

    /// `syncs`: the disk is to begin early.
    init(_ behind: WriteBehind, syncs: Bool) {
        self.behind = behind
        self.syncs = syncs
    }

    /// Where the next byte goes.
    var end: Int64 { offset + Int64(collected?.count ?? 0) }

    /// The next byte goes to `offset`; without a cut bytes beyond it stay.
    mutating func begin(at offset: Int64, isCut: Bool, _ algorithms: Set<DigestAlgorithm>) -> Int32 {
        let failure = wait()
        // Beyond what could not be written nothing may follow.
        guard failure == 0 || (isCut && offset == 0) else { return failure }
        if failure != 0 { forgetBacklog() }
        if isCut {
            collected?.clear()
            self.offset = offset
            if !isEmpty, ftruncate(file, off_t(offset)) != 0 { return errno }
        }
        if offset == 0 {
            digests = algorithms.isEmpty ? nil : BodyDigests(algorithms)
        } else if digests?.count != self.offset {
            digests = nil  // the beginning was not seen
        }
        return 0
    }

    mutating func take(_ bytes: UnsafeRawBufferPointer, isLast: Bool) -> Int32 {
        guard file >= 0 else { return EBADF }
        if let backlog, backlog.failure != 0 { return wait() }
        if collected?.count ?? 0 == 0, isLast || bytes.count >= Self.capacity {
            let failure = wait()
            return failure == 0 ? unsafe write(bytes) : failure
        }
        var rest = unsafe bytes[...]
        while unsafe !rest.isEmpty {
            let piece = collected ?? Collector(capacity: Self.capacity)
            collected = piece
            let taken = unsafe piece.append(UnsafeRawBufferPointer(rebasing: rest))
            unsafe rest = rest.dropFirst(taken)
            if piece.isFull {
                let failure = passOn(piece)
                if failure != 0 { return failure }
            }
        }
        return 0
    }

    /// A full piece is handed over, or written here where others have more than enough to do.
    private mutating func passOn(_ piece: Collector) -> Int32 {
        if backlog == nil { behind.enter() }
        let backlog = self.backlog ?? WriteBehind.Backlog()
        self.backlog = backlog
        var next = behind.takePiece()
        while next == nil, handedOver > 0 {
            backlog.waitForOne()
            handedOver -= 1
            next = behind.takePiece()
        }
        guard let next else { return flush() }
        guard backlog.failure == 0 else {
            behind.giveBack(next)
            return wait()
        }
        let start = offset
        offset += Int64(piece.count)
        (collected, isEmpty) = (next, false)
        handedOver += 1
        // From here on the piece is another's.
        behind.write(piece, to: file, at: start, digests, syncs: syncs, backlog)
        return 0
    }

    /// Returns when nothing is handed over any more.
    mutating func wait() -> Int32 {
        guard let backlog else { return 0 }
        while handedOver > 0 {
            backlog.waitForOne()
            handedOver -= 1
        }
        return backlog.failure
    }

    /// Returns when all bytes are the system's.
    mutating func flush() -> Int32 {
        guard file >= 0 else { return 0 }
        var failure = wait()
        if failure == 0, let collected, collected.count > 0 {
            failure = unsafe write(collected.bytes)
            if failure == 0 { collected.clear() }
        }
        return failure
    }

    /// Nothing comes for a while: others may use the threads.
    mutating func rest() {
        if handedOver == 0 { forgetBacklog() }
    }

    private mutating func write(_ bytes: UnsafeRawBufferPointer) -> Int32 {
        isEmpty = false
        let failure = unsafe writeAll(file, bytes, at: offset)
        guard failure == 0 else { return failure }
        unsafe digests?.update(bytes)
        offset += Int64(bytes.count)
        return 0
    }

    /// Closes the file; what is collected is lost.
    mutating func close() {
        _ = wait()
        forgetBacklog()
        _ = Glibc.close(file)
        file = -1
        if let collected { behind.putBack(collected) }
        collected = nil
    }

    private mutating func forgetBacklog() {
        if backlog != nil { behind.leave() }
        backlog = nil
    }
}
