import Glibc

/// What a stream of earlier runs shows as completed: the keys of those tasks.
///
/// Lines come one after the other. Those of Whirl's own making are looked at by bytes, as there may be millions; any
/// other is read as JSON.
struct JournalKeys: Sendable {
    /// What a line is.
    enum Line: Equatable {
        /// The beginning of a run, with its schema.
        case run(schema: String?)
        case created(task: UInt64, key: UInt64)
        case completed(task: UInt64)
        /// Another end of a task.
        case ended(task: UInt64)
        /// A record that matters to nobody here.
        case other
        /// No record at all.
        case unreadable
    }

    private(set) var keys: Set<UInt64> = []
    /// Keys of tasks of the run at hand that have not ended.
    private var open: [UInt64: UInt64] = [:]

    /// Whether a key, as streams have it, is that of a completed task.
    func contains(_ key: String) -> Bool { UInt64(key, radix: 16).map(keys.contains) ?? false }

    mutating func take(_ line: Line) {
        switch line {
        case .run: open = [:]
        case .created(let task, let key): open[task] = key
        case .completed(let task): if let key = open.removeValue(forKey: task) { keys.insert(key) }
        case .ended(let task): open[task] = nil
        case .other, .unreadable: break
        }
    }

    // MARK: lines

    /// Reads a line, without its end.
    static func read(_ line: UnsafeRawBufferPointer) -> Line {
        unsafe readOwn(line) ?? readAny(Array(line))
    }

    /// Nil for a line that is not as we write them.
    private static func readOwn(_ line: UnsafeRawBufferPointer) -> Line? {
        var cursor = unsafe Cursor(line)
        guard cursor.take(#"{"type":""#) else { return nil }
        // The shortest beginnings that tell the types apart.
        if cursor.take("completed\"") { return cursor.task.map { .completed(task: $0) } }
        if cursor.take("created\"") {
            guard let task = cursor.task, let key = cursor.lastKey else { return nil }
            return .created(task: task, key: key)
        }
        if cursor.take("failed\"") || cursor.take("skipped\"") || cursor.take("cancelled\"") {
            return cursor.task.map { .ended(task: $0) }
        }
        if cursor.take("run\"") { return nil }
        return cursor.isAtWord && cursor.endsObject ? .other : nil
    }

    private static func readAny(_ line: [UInt8]) -> Line {
        guard case .object(let members)? = try? JSONValue(line[...]) else { return .unreadable }
        func value(_ name: String) -> JSONValue? { members.first { $0.name == name }?.value }
        guard case .string(let type)? = value("type") else { return .unreadable }
        if type == "run" {
            if case .string(let schema)? = value("schema") { return .run(schema: schema) }
            return .run(schema: nil)
        }
        guard let task = value("task")?.count.map({ UInt64($0) }) else { return .other }
        switch type {
        case "created":
            guard case .string(let text)? = value("key"), let key = UInt64(text, radix: 16) else { return .other }
            return .created(task: task, key: key)
        case "completed": return .completed(task: task)
        case "failed", "skipped", "cancelled": return .ended(task: task)
        default: return .other
        }
    }
}

/// A place in a line.
@safe private struct Cursor {
    private let line: UnsafeRawBufferPointer
    private var place = 0

    init(_ line: UnsafeRawBufferPointer) { unsafe self.line = line }

    /// Passes over the text; false, without a step, when another stands there.
    mutating func take(_ text: StaticString) -> Bool {
        let count = text.utf8CodeUnitCount
        guard unsafe line.count - place >= count else { return false }
        let isThere = unsafe line.baseAddress.map { unsafe memcmp($0 + place, text.utf8Start, count) == 0 } ?? false
        if isThere { place += count }
        return isThere
    }

    private var byte: UInt8 { unsafe place < line.count ? line[place] : 0 }

    private mutating func skip(_ isPassed: (UInt8) -> Bool) {
        while isPassed(byte) { place += 1 }
    }

    private static func isDigit(_ byte: UInt8) -> Bool { byte &- 0x30 < 10 }

    /// The number of the task, behind a record's beginning; nil when that is not as we write it.
    var task: UInt64? {
        mutating get {
            guard take(#","seq":"#) else { return nil }
            skip(Self.isDigit)
            guard take(#","time":""#) else { return nil }
            skip { $0 != 0x22 && $0 != 0 }
            guard take(#"","elapsed":"#) else { return nil }
            skip { Self.isDigit($0) || $0 == 0x2E }
            guard take(#","task":"#), Self.isDigit(byte) else { return nil }
            var number: UInt64 = 0
            let start = place
            while Self.isDigit(byte), place - start < 18 {
                number = number * 10 + UInt64(byte - 0x30)
                place += 1
            }
            return byte == 0x2C || byte == 0x7D ? number : nil
        }
    }

    /// The key at the line's end; nil when there is none.
    ///
    /// Within a string a quote has a backslash before it, so this is no part of one.
    var lastKey: UInt64? {
        mutating get {
            place = unsafe max(place, line.count - 26)
            guard take(#","key":""#) else { return nil }
            var key: UInt64 = 0
            for _ in 0..<16 {
                guard let digit = Self.hexadecimal(byte) else { return nil }
                key = key << 4 | digit
                place += 1
            }
            guard take("\"}") else { return nil }
            return unsafe place == line.count ? key : nil
        }
    }

    private static func hexadecimal(_ byte: UInt8) -> UInt64? {
        switch byte {
        case 0x30...0x39: UInt64(byte - 0x30)
        case 0x61...0x66: UInt64(byte - 0x61 + 10)
        default: nil
        }
    }

    /// Whether a small letter stands here.
    var isAtWord: Bool { (0x61...0x7A).contains(byte) }
    var endsObject: Bool { unsafe line.last == 0x7D }
}
