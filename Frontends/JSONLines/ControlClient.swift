import Glibc
import Synchronization
import WhirlBoard
import WhirlCore

/// One who is connected to the socket: sends commands, and sees the stream.
///
/// What it does not read waits, up to a limit; beyond that it loses records, and is told how many.
final class ControlClient {
    /// Bytes that wait for it.
    private final class Outbox: Sendable {
        let bytes = Mutex<[UInt8]>([])
        let limit: Atomic<Int>
        init(limit: Int) { self.limit = Atomic(limit) }
    }

    let descriptor: Int32
    /// It sends no more; it may still read.
    private(set) var isSilent = false
    /// It reads no more; what it has sent before still counts.
    private(set) var isDeaf = false
    var isGone: Bool { isSilent && isDeaf }
    private var lines: LineSplitter
    private var stream: RecordStream
    private let outbox: Outbox
    /// As many bytes may wait.
    private let patience: Int

    init(_ descriptor: Int32, longestLine: Int, patience: Int, at now: UInt64) {
        self.descriptor = descriptor
        self.patience = patience
        lines = LineSplitter(longest: longestLine)
        let outbox = Outbox(limit: .max)
        self.outbox = outbox
        let writer = LineWriter(descriptor) { _, bytes in
            guard outbox.bytes.withLock({ $0.count }) < outbox.limit.load(ordering: .relaxed) else {
                return -Int(ENOBUFS)
            }
            unsafe bytes.withUnsafeBytes { bytes in
                outbox.bytes.withLock { unsafe $0.append(contentsOf: bytes) }
            }
            return bytes.byteCount
        }
        stream = RecordStream(writer, retryInterval: 0.2, at: now)
    }

    deinit { close(descriptor) }

    // MARK: what it is told

    /// The beginning of its stream, which may be long.
    func begin(with picture: RunPicture, at moment: Moment, _ now: UInt64) {
        picture.tell(to: &stream, at: moment, now)
        stream.flush(at: now)
        outbox.limit.store(patience, ordering: .relaxed)
    }

    func put(_ record: RunRecord, at now: UInt64) { if !isDeaf { stream.put(record, at: now) } }

    /// False when the task's progress has to be told later.
    func put(_ id: TaskID, _ snapshot: TaskSnapshot, at now: UInt64) -> Bool {
        isDeaf || stream.put(id, snapshot, at: now)
    }

    func flush(isLast: Bool = false, at now: UInt64) {
        if isLast { outbox.limit.store(.max, ordering: .relaxed) }
        // To encode all that it has missed before it has read what waits would be for nothing.
        guard !isDeaf, stream.condition == .whole || hasRoom || isLast else { return }
        stream.flush(isLast: isLast, at: now)
    }

    /// When it is to be told of what it has missed; nil when it has missed nothing, or does not read.
    var due: UInt64? {
        guard !isDeaf, case .broken(_, let retry) = stream.condition, hasRoom else { return nil }
        return retry
    }

    /// Bytes that wait for it.
    private var waiting: Int { outbox.bytes.withLock { $0.count } }
    private var hasRoom: Bool { waiting <= patience / 2 }
    var hasWaiting: Bool { waiting > 0 }

    // MARK: its connection

    /// Sends what it takes without waiting.
    func send() {
        let failure = outbox.bytes.withLock { bytes -> Int32 in
            var sent = 0
            defer { bytes.removeFirst(sent) }
            while sent < bytes.count {
                let rest = bytes.count - sent
                let count = unsafe bytes.withUnsafeBytes { buffer in
                    unsafe Glibc.send(
                        descriptor, buffer.baseAddress.map { unsafe $0 + sent }, rest,
                        Int32(MSG_NOSIGNAL | MSG_DONTWAIT))
                }
                if count > 0 { sent += count } else if errno != EINTR { return errno }
            }
            return 0
        }
        if failure != 0, failure != EAGAIN { turnDeaf() }
    }

    private func turnDeaf() {
        isDeaf = true
        outbox.bytes.withLock { $0 = [] }
    }

    /// What it has sent, as lines; nil for one that was too long.
    func receive() -> [[UInt8]?] {
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        let count = unsafe recv(descriptor, &buffer, buffer.count, Int32(MSG_DONTWAIT))
        if count > 0 { return lines.append(buffer[..<count]) }
        guard count == 0 || (errno != EAGAIN && errno != EINTR) else { return [] }
        isSilent = true
        return lines.finish().map { [$0] } ?? []
    }

    /// It neither sends nor reads any more.
    func hangUp() {
        isSilent = true
        turnDeaf()
    }
}
