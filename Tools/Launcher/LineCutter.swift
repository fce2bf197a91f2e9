/// Cuts bytes into lines as they come; holds at most one line.
struct LineCutter {
    struct Line {
        /// From 1.
        let number: Int
        /// Without its end; nil for a line that is too long.
        let bytes: ArraySlice<UInt8>?
    }

    /// The longest line in bytes.
    static let longest = 64 << 10

    private var rest: [UInt8] = []
    private var start = 0
    private var number = 0
    private var isSkipping = false
    /// Whether the end has come.
    private(set) var isOver = false

    /// Adds bytes; none mean the end.
    mutating func append(_ bytes: [UInt8]) {
        rest.removeFirst(start)
        start = 0
        rest += bytes
        guard bytes.isEmpty else { return }
        isOver = true
        if let last = rest.last, last != 0x0A { rest.append(0x0A) }
    }

    /// The next line; nil when there is none until more bytes come.
    mutating func next() -> Line? {
        while let end = rest[start...].firstIndex(of: 0x0A) {
            let bytes = rest[start..<end]
            start = end + 1
            number += 1
            if isSkipping {
                isSkipping = false
            } else if bytes.count > Self.longest {
                return Line(number: number, bytes: nil)
            } else {
                let hasMark = number == 1 && bytes.starts(with: [0xEF, 0xBB, 0xBF])
                return Line(number: number, bytes: hasMark ? bytes.dropFirst(3) : bytes)
            }
        }
        guard rest.count - start > Self.longest else { return nil }
        start = rest.count
        guard !isSkipping else { return nil }
        isSkipping = true
        return Line(number: number + 1, bytes: nil)
    }
}
