import FoundationEssentials
import WhirlCore

/// Any JSON, read by a parser that is not ours.
enum JSONValue: Decodable, Equatable {
    case null
    case bool(Bool)
    case number(Double)
    case string(String)
    case array([JSONValue])
    case object([String: JSONValue])

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let bool = try? container.decode(Bool.self) {
            self = .bool(bool)
        } else if let number = try? container.decode(Double.self) {
            self = .number(number)
        } else if let string = try? container.decode(String.self) {
            self = .string(string)
        } else if let array = try? container.decode([JSONValue].self) {
            self = .array(array)
        } else {
            self = .object(try container.decode([String: JSONValue].self))
        }
    }

    init(_ text: String) throws { self = try JSONDecoder().decode(JSONValue.self, from: Data(text.utf8)) }

    subscript(_ key: String) -> JSONValue? {
        guard case .object(let members) = self else { return nil }
        return members[key]
    }

    var string: String? { if case .string(let string) = self { string } else { nil } }
    var number: Double? { if case .number(let number) = self { number } else { nil } }
}

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
