import Glibc
import WhirlBoard
import WhirlCore
import WhirlJSONLines
import WhirlSession

/// A stream of records in a file or a pipe, read as it grows.
struct StreamSource {
    private let input: Descriptor
    private var reader = RecordReader(redact: { Redaction.url($0) })

    /// Opens the file, or the standard input for `-`.
    init(_ path: String) throws(CommandError) {
        input = path == "-" ? .standardInput : try Descriptor(reading: path)
        guard path != "-" || StandardStreams.isOpen(STDIN_FILENO) else {
            throw CommandError("stdin is closed; name a file")
        }
    }

    /// Whether records come when they happen, and not all at once.
    var isLive: Bool { !input.isRegular }

    /// What to call it.
    var name: String { input.name }

    /// The next record; nil at the end, and when `waker` was told while there is none.
    ///
    /// Throws when it is no stream of whirl's.
    mutating func next(unless waker: Waker) throws(CommandError) -> RecordReader.Item? {
        while true {
            if let item = reader.next() { return item }
            if let objection = reader.objection {
                throw CommandError(
                    "\(name) is no stream of whirl's: \(Sentence(trusting: objection)); name what -f jsonl or --events has written"
                )
            }
            guard !isAtEnd, waits(waker) else { return nil }
            let bytes = try input.read(upTo: 1 << 18)
            reader.append(bytes)
            if bytes.isEmpty { finish() }
        }
    }

    private(set) var isAtEnd = false

    private mutating func finish() {
        reader.finish()
        // Once more through the loop: the last line may have no end.
        isAtEnd = true
    }

    /// Waits for bytes; false when it was told to stop.
    private func waits(_ waker: Waker) -> Bool {
        guard isLive else { return true }
        var entries = [
            pollfd(fd: input.number, events: Int16(POLLIN), revents: 0),
            pollfd(fd: waker.descriptor, events: Int16(POLLIN), revents: 0),
        ]
        while unsafe poll(&entries, 2, -1) < 0 {}
        return entries[1].revents == 0
    }
}
