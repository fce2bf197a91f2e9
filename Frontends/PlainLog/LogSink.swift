import Glibc
import WhirlBoard

/// Where lines go, and what is done when they can't.
///
/// - Whoever reads goes away, or the descriptor is none: it is off, without a word.
/// - The disk is full: lines are kept, the newest 10,000 of them, and written when there is room again.
struct LogSink {
    private static let disk: Set<Int32> = [ENOSPC, EDQUOT, EFBIG, EIO]
    private static let retryInterval = 5.0
    /// nil once it is off.
    private var writer: LineWriter?
    private var kept = Newest<[UInt8]>(10_000)
    private var lost = 0
    private var isTorn = false
    /// Why it can't be written now, and when that is tried again.
    private var trouble: (reason: String, retry: UInt64)?

    init(_ writer: LineWriter) { self.writer = writer }

    /// Why something could not be written to the end; nil when all was, or nobody reads it.
    var reason: String? { trouble?.reason }

    /// Writes one or more lines.
    mutating func put(_ lines: [UInt8], at now: UInt64) {
        guard writer != nil, !lines.isEmpty else { return }
        if trouble == nil { write(lines, at: now) } else { keep(lines) }
    }

    /// Tries once more what could not be written, when it is time or when `isLast`.
    mutating func flush(isLast: Bool = false, at now: UInt64) {
        guard let trouble, isLast || now >= trouble.retry else { return }
        self.trouble = nil
        var lines = kept.takeAll()
        if lost > 0 { lines.insert(Array("whirl: \(lost) lines are missing here: \(trouble.reason)\n".utf8), at: 0) }
        lost = 0
        for line in lines { put(line, at: now) }
        if isTorn, self.trouble == nil { write([], at: now) }
    }

    private mutating func write(_ lines: [UInt8], at now: UInt64) {
        let lines = isTorn ? [UInt8(ascii: "\n")] + lines : lines
        do {
            try writer?.write(lines)
            isTorn = false
        } catch {
            guard Self.disk.contains(error.number) else { return writer = nil }
            isTorn = error.written > 0 ? lines[error.written - 1] != UInt8(ascii: "\n") : isTorn
            trouble = (error.description, now &+ UInt64(Self.retryInterval * 1e9))
            // What lacks but its line feed is written: the line feed that ends a torn line will be its own.
            if error.written < lines.count - 1 { keep(lines) }
        }
    }

    private mutating func keep(_ lines: [UInt8]) {
        if kept.append(lines) { lost += 1 }
    }
}
