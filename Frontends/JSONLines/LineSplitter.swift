/// Makes lines of bytes as they come; holds at most one.
struct LineSplitter {
    /// The longest line in bytes.
    private let longest: Int
    private var rest: [UInt8] = []
    /// The line that comes is too long, which has been said.
    private var isSkipping = false

    init(longest: Int) { self.longest = longest }

    /// Adds bytes and gives the lines that are whole now, without their ends; nil for one that was too long.
    mutating func append(_ bytes: ArraySlice<UInt8>) -> [[UInt8]?] {
        var lines: [[UInt8]?] = []
        var bytes = bytes
        while let end = bytes.firstIndex(of: 0x0A) {
            take(bytes[..<end], into: &lines)
            if isSkipping { isSkipping = false } else { lines.append(rest) }
            rest = []
            bytes = bytes[(end + 1)...]
        }
        take(bytes, into: &lines)
        return lines
    }

    /// The line that lacks its end; nil when there is none.
    mutating func finish() -> [UInt8]? {
        defer { rest = [] }
        return rest.isEmpty ? nil : rest
    }

    private mutating func take(_ bytes: ArraySlice<UInt8>, into lines: inout [[UInt8]?]) {
        guard !isSkipping else { return }
        if rest.count + bytes.count <= longest { return rest += bytes }
        rest = []
        isSkipping = true
        lines.append(nil)
    }
}
