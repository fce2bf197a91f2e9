/// A run's stream as a reader sees it.
struct EventStream {
    let records: [JSONValue]

    /// Throws for a line that is no JSON object, and for bytes after the last line.
    init(_ bytes: [UInt8]) throws {
        records = try bytes.split(separator: 0x0A).map { try JSONValue(Array($0)) }
        if let last = bytes.last, last != 0x0A { throw Program.Fault(text: "the last line has no end") }
    }

    func all(_ type: String) -> [JSONValue] { records.filter { $0["type"]?.string == type } }

    private static let endings = ["completed", "failed", "skipped", "cancelled"]

    /// What breaks the promises of the schema; empty when nothing does.
    var faults: [String] {
        var faults: [String] = []
        for (index, record) in records.enumerated() where record["seq"]?.integer != index {
            faults.append("record \(index) has seq \(record["seq"].map { "\($0)" } ?? "none")")
        }
        if records.first?["type"]?.string != "run" { faults.append("the first record is not run") }
        if records.last?["type"]?.string != "end" { faults.append("the last record is not end") }
        let created = all("created").compactMap { $0["task"]?.integer }
        if Set(created).count != created.count { faults.append("a task was created twice") }
        for task in created {
            let ends = Self.endings.flatMap(all).count { $0["task"]?.integer == task }
            if ends != 1 { faults.append("task \(task) has \(ends) terminal events") }
        }
        for word in Self.endings where records.last?[word]?.integer != all(word).count {
            faults.append("end counts \(word) wrong")
        }
        return faults
    }
}
