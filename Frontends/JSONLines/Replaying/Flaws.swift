/// What is wrong with a stream that is read all the same.
struct Flaws {
    /// Records about tasks that were not created, or were twice.
    var strays = 0
    /// Tasks under way when the stream broke off before its `end`; nil when it did not.
    var unfinished: Int?
    /// The last line has no end.
    var isTorn = false
    private var broken = 0
    private var firstBroken: (line: Int, reason: String)?
    private var expected: Int64?
    private var missing: Int64 = 0

    /// A line that is no record.
    mutating func note(_ line: Int, _ reason: String) {
        broken += 1
        if firstBroken == nil { firstBroken = (line, reason) }
    }

    /// The number of a record: each is one more than that before.
    mutating func note(_ sequence: Int64) {
        if let expected, sequence > expected { missing &+= sequence &- expected }
        expected = sequence &+ 1
    }

    mutating func beginPart() { expected = nil }

    /// All of it, a sentence each.
    var sentences: [String] {
        var sentences: [String] = []
        if let (line, reason) = firstBroken {
            sentences.append(
                broken == 1
                    ? "line \(line) of the stream is no record: \(reason)"
                    : "\(broken) lines of the stream are no records, the first of them line \(line): \(reason)")
        }
        if missing > 0 { sentences.append("records are missing in the stream: \(missing)") }
        if strays > 0 { sentences.append("records about transfers that the stream does not begin: \(strays)") }
        if isTorn { sentences.append("the last line of the stream is torn") }
        if let unfinished {
            sentences.append("the stream ends before its run does; transfers under way then: \(unfinished)")
        }
        return sentences
    }
}
