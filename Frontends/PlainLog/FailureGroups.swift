import WhirlBoard

/// Failures of one host for one cause that come close together: the first three are named, the others counted.
struct FailureGroups {
    private struct Key: Hashable {
        let host: String
        let cause: String
    }
    private struct Group {
        let since: UInt64
        let cause: String
        var named = 0
        var unnamed = 0
    }
    private static let width = 2.0
    private static let mostNamed = 3
    private var groups: [Key: Group] = [:]

    /// Whether this failure gets a line of its own; `flushed` are the groups that ended before it.
    mutating func note(_ row: Row, at now: UInt64) -> (isNamed: Bool, flushed: [LogLine]) {
        let flushed = flush(at: now)
        let key = Key(host: row.host, cause: row.causeKey)
        var group = groups[key] ?? Group(since: now, cause: row.cause)
        defer { groups[key] = group }
        guard group.named < Self.mostNamed else {
            group.unnamed += 1
            return (false, flushed)
        }
        group.named += 1
        return (true, flushed)
    }

    /// Tells of the groups that ended: those begun 2 s ago, or, with `all`, every one.
    mutating func flush(all: Bool = false, at now: UInt64) -> [LogLine] {
        let over = groups.filter { all || seconds(from: $0.value.since, to: now) >= Self.width }
        var lines: [LogLine] = []
        for (key, group) in over.sorted(by: { $0.value.since < $1.value.since }) {
            groups[key] = nil
            guard group.unnamed > 0 else { continue }
            lines.append(
                LogLine(
                    level: .error, event: "failed", facts: ["\(group.unnamed)", "more"],
                    fields: [("host", key.host), ("cause", group.cause)]))
        }
        return lines
    }
}
