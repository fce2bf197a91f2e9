/// Reads a stream of JSON Lines, schema `whirl/1`: bytes in, records out.
///
/// - Types and members that it does not know are no trouble, nor is a line that is broken: it is told, and what comes
///   after it is read. Lines that are empty are nothing.
/// - A line takes no more than 1 MiB of memory.
public struct RecordReader {
    /// What a line is.
    public enum Item: Equatable, Sendable {
        /// A record.
        case record(StreamRecord)
        /// A line that is none, and why, as a sentence's end.
        case broken(line: Int, reason: String)
        /// The last line, which has no end and is no record: its writer was stopped, or is not finished.
        case torn(line: Int)
    }
    private static let longest = 1 << 20
    /// So many lines that are no records make a stream doubtful that has not begun.
    private static let mostDoubts = 8
    /// Why it is no stream that can be read here, as a sentence's end; nil while it may be one.
    ///
    /// With a reason there is no next.
    public private(set) var objection: String?
    private var hasBegun = false
    private var doubts = 0
    private let decoder: RecordDecoder
    private var bytes: [UInt8] = []
    /// Where the line begins that is not read yet.
    private var place = 0
    /// Up to where there is no line feed.
    private var searched = 0
    private var line = 0
    /// The line is too long: its rest is left out.
    private var isSkipping = false
    private var isOver = false

    /// A reader; `redact` takes secrets out of URLs and sentences before anybody gets them.
    public init(redact: @escaping @Sendable (String) -> String = { $0 }) { decoder = RecordDecoder(redact: redact) }

    /// More of the stream.
    public mutating func append(_ more: [UInt8]) {
        if place > 0 {
            bytes.removeFirst(place)
            searched -= place
            place = 0
        }
        bytes += more
    }

    /// There is no more.
    public mutating func finish() { isOver = true }

    /// The next; nil until there is more, at the end, and when there is an objection.
    public mutating func next() -> Item? {
        guard objection == nil else { return nil }
        let item = read()
        if !hasBegun { judge(item) }
        return objection == nil ? item : nil
    }

    /// A stream begins with `run`; of one that could not be written at first, with `lost` or a torn line before it.
    private mutating func judge(_ item: Item?) {
        switch item {
        case .record(let record):
            switch record.event {
            case .run: hasBegun = true
            case .lost: break
            default: objection = "it does not begin with a record of type run"
            }
        case .broken(_, let reason):
            doubts += 1
            if doubts > Self.mostDoubts { objection = "\(doubts) lines are no records: \(reason)" }
        case .torn(let line): objection = line == 1 ? "it is no JSON" : "it breaks off before it begins"
        case nil: if isOver { objection = line == 0 ? "it is empty" : "it has no record of type run" }
        }
    }

    private mutating func read() -> Item? {
        while let (range, hasEnd) = nextLine() {
            line += 1
            if isSkipping {
                isSkipping = false
                return .broken(line: line, reason: "it is longer than 1 MiB")
            }
            if line == 1, bytes[range].starts(with: [0xEF, 0xBB, 0xBF]) {
                if let item = item(range.dropFirst(3), hasEnd) { return item }
            } else if let item = item(range, hasEnd) {
                return item
            }
        }
        return nil
    }

    /// The bytes of the next line without its line feed, and whether it had one.
    private mutating func nextLine() -> (Range<Int>, Bool)? {
        while searched < bytes.count, bytes[searched] != 0x0A { searched += 1 }
        if searched < bytes.count {
            defer {
                searched += 1
                place = searched
            }
            return (place..<searched, true)
        }
        if isSkipping || searched - place > Self.longest {
            isSkipping = true
            place = searched
        }
        guard isOver, place < searched || isSkipping else { return nil }
        defer { place = searched }
        return (place..<searched, false)
    }

    private mutating func item(_ range: Range<Int>, _ hasEnd: Bool) -> Item? {
        if bytes[range].allSatisfy({ $0 == 0x20 || $0 == 0x0D || $0 == 0x09 }) { return nil }
        do throws(JSONScanner.Fault) {
            let item = try JSONScanner.read(bytes, range)
            do throws(RecordDecoder.Fault) {
                return .record(try decoder.record(item))
            } catch {
                if error.isForeign, !hasBegun { objection = error.reason }
                return .broken(line: line, reason: error.reason)
            }
        } catch {
            return hasEnd ? .broken(line: line, reason: error.reason) : .torn(line: line)
        }
    }
}
