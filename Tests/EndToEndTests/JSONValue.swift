import FoundationEssentials

/// Any JSON text, for looking into records as a stranger's program would.
enum JSONValue: Equatable, Decodable, Sendable {
    case null
    case bool(Bool)
    case number(Double)
    case string(String)
    case array([JSONValue])
    case object([String: JSONValue])

    init(from decoder: any Decoder) throws {
        let value = try decoder.singleValueContainer()
        if value.decodeNil() {
            self = .null
        } else if let bool = try? value.decode(Bool.self) {
            self = .bool(bool)
        } else if let number = try? value.decode(Double.self) {
            self = .number(number)
        } else if let string = try? value.decode(String.self) {
            self = .string(string)
        } else if let array = try? value.decode([JSONValue].self) {
            self = .array(array)
        } else {
            self = .object(try value.decode([String: JSONValue].self))
        }
    }

    subscript(key: String) -> JSONValue? { if case .object(let members) = self { members[key] } else { nil } }
    var text: String? { if case .string(let text) = self { text } else { nil } }
    var integer: Int? { if case .number(let number) = self { Int(exactly: number) } else { nil } }
}

/// A run's stream as a reader sees it.
struct EventStream {
    let records: [JSONValue]

    /// Throws for a line that is no JSON object, and for bytes after the last line.
    init(_ bytes: [UInt8]) throws {
        records = try bytes.split(separator: 0x0A).map { try JSONDecoder().decode(JSONValue.self, from: Data($0)) }
        if let last = bytes.last, last != 0x0A { throw Program.Fault(text: "the last line has no end") }
    }

    func all(_ type: String) -> [JSONValue] { records.filter { $0["type"]?.text == type } }

    private static let endings = ["completed", "failed", "skipped", "cancelled"]

    /// What breaks the promises of the schema; empty when nothing does.
    var faults: [String] {
        var faults: [String] = []
        for (index, record) in records.enumerated() where record["seq"]?.integer != index {
            faults.append("record \(index) has seq \(record["seq"].map { "\($0)" } ?? "none")")
        }
        if records.first?["type"]?.text != "run" { faults.append("the first record is not run") }
        if records.last?["type"]?.text != "end" { faults.append("the last record is not end") }
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
