import Glibc
import WhirlCore
import WhirlSession

/// A file with the streams of earlier runs, which this run goes on with and adds its own to.
///
/// It is this process's alone until it ends.
final class Journal: Sendable {
    private static let piece = 1 << 20
    /// A stream begins with a line that is much shorter.
    private static let longestFirst = 64 << 10

    let path: String
    /// Open for adding to its end.
    let descriptor: Int32
    /// What was completed.
    let keys: JournalKeys
    /// What people should know of it.
    let warnings: [Sentence]

    /// Opens the file, or makes it, and reads it; a last line that is not whole is put right.
    ///
    /// Throws, with the file as it was, when it is not a stream of ours or another run has it.
    init(_ path: String) throws(CommandError) {
        let file = unsafe open(path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC | O_NONBLOCK | O_NOCTTY, 0o644)
        guard file >= 0 else { throw CommandError("\(path): \(Descriptor.trouble(errno))") }
        do throws(CommandError) {
            try Self.check(file, path)
            if flock(file, LOCK_EX | LOCK_NB) != 0 {
                let reason = errno
                throw reason == EWOULDBLOCK
                    ? CommandError("\(path) is the journal of a run that has not ended; wait for it, or name another")
                    : CommandError(
                        "\(path) can't be locked: \(Descriptor.reason(reason)); keep the journal in another folder")
            }
            var reading = Reading(path)
            try reading.read(file)
            try reading.mend(file)
            keys = reading.keys
            warnings = reading.warnings
        } catch {
            close(file)
            throw error
        }
        self.path = path
        descriptor = file
    }

    deinit { close(descriptor) }

    private static func check(_ file: Int32, _ path: String) throws(CommandError) {
        var status = stat()
        guard unsafe fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw CommandError("\(path) is no regular file, as a journal has to be; name another")
        }
    }

    /// What a journal says was completed, for who only looks: another run may have it, and it stays as it is.
    static func peek(_ path: String) throws(CommandError) -> JournalKeys {
        let file = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
        if file < 0, errno == ENOENT { return JournalKeys() }  // the first run will make it
        guard file >= 0 else { throw CommandError("\(path): \(Descriptor.trouble(errno))") }
        defer { close(file) }
        try check(file, path)
        var reading = Reading(path)
        try reading.read(file)
        return try reading.keysWithLast()
    }

    /// Whether the path leads to the same file.
    func isSame(as other: String) -> Bool {
        var (own, others) = (stat(), stat())
        guard unsafe fstat(descriptor, &own) == 0, unsafe stat(other, &others) == 0 else { return false }
        return own.st_dev == others.st_dev && own.st_ino == others.st_ino
    }

    /// One reading of the file from its beginning to its end.
    private struct Reading {
        private let path: String
        private(set) var keys = JournalKeys()
        private(set) var warnings: [Sentence] = []
        private var line = 0
        private var isSkipping = false
        private var unreadable = (count: 0, first: 0)
        /// Why the file is none of ours.
        private var fault: CommandError?
        /// Where the last whole line ends.
        private var whole: off_t = 0
        /// What stands behind it.
        private var rest: [UInt8] = []

        init(_ path: String) { self.path = path }

        mutating func read(_ file: Int32) throws(CommandError) {
            var buffer = [UInt8](repeating: 0, count: Journal.piece)
            var (filled, begin) = (0, off_t(0))
            while true {
                let room = buffer.count - filled
                let count = unsafe buffer.withUnsafeMutableBytes { bytes in
                    unsafe pread(file, bytes.baseAddress.map { unsafe $0 + filled }, room, begin + off_t(filled))
                }
                if count < 0, errno == EINTR { continue }
                guard count >= 0 else { throw CommandError("\(path): \(Descriptor.trouble(errno))") }
                if count == 0 { break }
                filled += count
                let used = unsafe buffer.withUnsafeBytes { bytes in
                    unsafe takeLines(UnsafeRawBufferPointer(rebasing: bytes[..<filled]))
                }
                if let fault { throw fault }
                if used > 0 { whole = begin + off_t(used) }
                if line == 0, filled > Journal.longestFirst { throw foreign }
                var gone = used
                if used == 0, filled == buffer.count {
                    // A line as long as this is none of ours.
                    isSkipping = true
                    gone = filled
                }
                buffer.replaceSubrange(0..<(filled - gone), with: buffer[gone..<filled])
                begin += off_t(gone)
                filled -= gone
            }
            rest = Array(buffer[..<filled])
            if unreadable.count > 0 {
                let what = unreadable.count == 1 ? "a line that can't be read is" : "\(unreadable.count) lines are"
                warnings.append("\(path):\(unreadable.first): \(what) no records, and passed over")
            }
        }

        /// How many bytes whole lines have.
        private mutating func takeLines(_ bytes: UnsafeRawBufferPointer) -> Int {
            var start = 0
            while fault == nil, let base = bytes.baseAddress,
                let end = unsafe memchr(base + start, 0x0A, bytes.count - start)
            {
                let next = unsafe UnsafeRawPointer(end) - base
                unsafe take(UnsafeRawBufferPointer(rebasing: bytes[start..<next]))
                start = next + 1
                if start == bytes.count { break }
            }
            return start
        }

        private mutating func take(_ bytes: UnsafeRawBufferPointer) {
            line += 1
            let read = isSkipping ? .unreadable : unsafe JournalKeys.read(bytes)
            isSkipping = false
            if line == 1 {
                do throws(CommandError) { try begin(read) } catch { fault = error }
            }
            if read == .unreadable {
                if unreadable.count == 0 { unreadable.first = line }
                unreadable.count += 1
            }
            keys.take(read)
        }

        private func begin(_ first: JournalKeys.Line) throws(CommandError) {
            guard case .run(let schema?) = first, schema.hasPrefix("whirl/") else { throw foreign }
            guard schema == "whirl/1" || schema.hasPrefix("whirl/1.") else {
                throw CommandError(
                    "\(path) is of schema \(quoted(schema)), which this whirl can't go on with; name another file")
            }
        }

        private var foreign: CommandError {
            CommandError("\(path) is no journal: it does not begin as a stream of whirl does; name another file")
        }

        /// The keys, with that of a last line without an end.
        mutating func keysWithLast() throws(CommandError) -> JournalKeys {
            guard !rest.isEmpty, !isSkipping else { return keys }
            let last = unsafe rest.withUnsafeBytes { unsafe JournalKeys.read($0) }
            if line == 0 {
                guard last != .unreadable || Self.mayBegin(rest) else { throw foreign }
                if last != .unreadable { try begin(last) }
            }
            keys.take(last)
            return keys
        }

        /// Whether a stream of ours may begin so.
        private static func mayBegin(_ bytes: [UInt8]) -> Bool {
            let start = Array(#"{"type":"run","#.utf8)
            return bytes.starts(with: start.prefix(bytes.count))
        }

        /// Puts a last line right that was cut off.
        mutating func mend(_ file: Int32) throws(CommandError) {
            guard !rest.isEmpty || isSkipping else { return }
            let last = isSkipping ? .unreadable : unsafe rest.withUnsafeBytes { unsafe JournalKeys.read($0) }
            if last != .unreadable {
                if line == 0 { try begin(last) }
                keys.take(last)
                try check(unsafe write(file, "\n", 1) == 1)
                return warnings.append("\(path): its last line had no end, and was given one")
            }
            if line == 0, !Self.mayBegin(rest) { throw foreign }
            try check(ftruncate(file, whole) == 0)
            warnings.append("\(path): its last line was cut off, and is taken away")
        }

        private func check(_ isDone: Bool) throws(CommandError) {
            guard !isDone else { return }
            let reason = Descriptor.reason(errno)
            throw CommandError("\(path) can't be mended: \(reason); keep the journal on another disk", exit: 3)
        }
    }
}
