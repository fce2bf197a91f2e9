import CWhirlCrypto
import Dispatch
import Glibc
import Synchronization

/// Writes pieces of files on threads of their own: while one is written, the next is received.
///
/// - The pieces of one file are written in order, and none after a failure: the file never has a hole. No file waits for
///   another's disk.
/// - Few pieces are under way at a time, and their memory is used again.
/// - With more large files at once than half the processors nobody gains by it: then it takes none.
final class WriteBehind: Sendable {
    /// How it goes with one file.
    final class Backlog: Sendable {
        fileprivate let queue = DispatchQueue(label: "whirl.writer")
        /// Signalled for each piece that is dealt with.
        fileprivate let dealtWith = DispatchSemaphore(value: 0)
        fileprivate let failed = Atomic<Int32>(0)

        /// The errno of the first piece that could not be written, or 0.
        var failure: Int32 { failed.load(ordering: .acquiring) }

        /// Returns when one more piece is dealt with.
        func waitForOne() { dealtWith.wait() }
    }

    /// So many pieces may wait: with the one that is being filled they are what a kill costs.
    static let most = 2
    /// The disk is told to begin after so many bytes of a file: a sync at the end has little left to do.
    private static let stretch: Int64 = 4 << 20

    private let waiting = Atomic(0)
    /// Memory to be used again.
    private let spare = Mutex<[Collector]>([])
    private let files = Atomic(0)
    private let mostFiles = max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN)) / 2)

    /// A large file has come.
    func enter() { files.add(1, ordering: .relaxed) }
    /// It is closed, or nothing comes for a while.
    func leave() { files.subtract(1, ordering: .relaxed) }

    /// An empty piece, and with it the right to have a full one written; nil when its owner had better write it himself.
    func takePiece() -> Collector? {
        guard files.load(ordering: .relaxed) <= mostFiles else { return nil }
        guard waiting.add(1, ordering: .relaxed).newValue <= Self.most else {
            waiting.subtract(1, ordering: .relaxed)
            return nil
        }
        return spare.withLock { $0.popLast() } ?? Collector(capacity: FileWriter.capacity)
    }

    /// The piece, and the right that came with it, are of no more use.
    func giveBack(_ piece: Collector) {
        putBack(piece)
        waiting.subtract(1, ordering: .relaxed)
    }

    /// Keeps the memory of a piece for others.
    func putBack(_ piece: Collector) {
        piece.clear()
        spare.withLock { if $0.count < Self.most { $0.append(piece) } }
    }

    /// Writes the piece to the file, which stays open until it is dealt with, and computes its digests.
    ///
    /// Only with the right that `takePiece` gave. `syncs`: the disk is to begin early.
    func write(
        _ piece: Collector, to file: Int32, at offset: Int64, _ digests: BodyDigests?, syncs: Bool, _ backlog: Backlog
    ) {
        backlog.queue.async { [self] in
            if backlog.failure == 0 {
                let failure = unsafe writeAll(file, piece.bytes, at: offset)
                if failure == 0 {
                    unsafe digests?.update(piece.bytes)
                    if syncs { Self.startSync(file, from: offset, to: offset + Int64(piece.count)) }
                } else {
                    backlog.failed.store(failure, ordering: .releasing)
                }
            }
            giveBack(piece)
            backlog.dealtWith.signal()
        }
    }

    /// Has the disk begin with the stretches that end within the piece.
    private static func startSync(_ file: Int32, from start: Int64, to end: Int64) {
        let (first, last) = (start / stretch, end / stretch)
        guard last > first else { return }
        sync_file_range(
            file, off_t(first * stretch), off_t((last - first) * stretch), WHIRL_SYNC_FILE_RANGE_WRITE)
    }
}
