import WhirlCore

/// The lines of a stream, each parsed; throws when one is no JSON, and tells of a gap in `seq`.
func parseStream(_ text: String) throws -> [JSONValue] {
    var records: [JSONValue] = []
    for line in text.split(separator: "\n", omittingEmptySubsequences: false).dropLast() {
        records.append(try JSONValue(String(line)))
    }
    return records
}

extension [JSONValue] {
    var types: [String] { map { $0["type"]?.string ?? "?" } }
    /// Each `seq` is one more than the last, from 0.
    var isGapless: Bool { map { $0["seq"]?.number } == indices.map { Double($0) } }

    /// The records of one task.
    func of(_ task: StageTask) -> [JSONValue] {
        filter { $0["task"]?.number == Double(task.life.id.number) }
    }
}
