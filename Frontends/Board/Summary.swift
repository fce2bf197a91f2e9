import WhirlCore

/// How a run went, for people.
public struct Summary: Sendable {
    /// That many failures are listed one by one; more are grouped by cause.
    public static let most = 20
    private let totals: Totals
    private let failures: [Row]
    private let isASCII: Bool

    /// A summary of a run with these sums and these failed rows; `isASCII` for terminals that know no more.
    public init(_ totals: Totals, failures: [Row], isASCII: Bool = false) {
        self.totals = totals
        self.failures = failures
        self.isASCII = isASCII
    }

    /// The first line says it all; the others, indented, are the failures.
    public var lines: [String] { [first] + (failures.count > Self.most ? causes : each) }

    private var first: String {
        let dot = isASCII ? " - " : " · "
        var counts = ["\(totals.completed) done", "\(totals.failed) failed", "\(totals.cancelled) cancelled"]
        if totals.skipped > 0 { counts.append("\(totals.skipped) skipped") }
        let mean = totals.elapsed > 0 ? Double(totals.bytes) / totals.elapsed : 0
        var line = "whirl: " + counts.joined(separator: ", ") + dot + Units.bytes(totals.bytes, gap: " ")
        line += " in \(Units.duration(totals.elapsed)) (\(Units.rate(mean, gap: " ")))"
        if totals.retries > 0 { line += dot + (totals.retries == 1 ? "1 retry" : "\(totals.retries) retries") }
        return line
    }

    private var columns: Columns { Columns(ellipsis: isASCII ? "..." : "…") }

    private var each: [String] {
        failures.map { row in
            var cause = row.cause
            if row.attempt > 1 { cause += ", \(row.attempt) tries" }
            return "  FAILED  \(columns.pad(row.name, to: 24))  \(cause)  \(row.url)"
        }
    }

    private var causes: [String] {
        var groups: [String: (first: Row, count: Int)] = [:]
        var order: [String] = []
        for row in failures {
            if groups[row.causeKey] == nil { order.append(row.causeKey) }
            groups[row.causeKey, default: (row, 0)].count += 1
        }
        return order.compactMap { groups[$0] }.map { group in
            let names = group.count > 1 ? "\(group.first.name) and \(group.count - 1) more" : group.first.name
            return "  FAILED  \(group.count) \(isASCII ? "x" : "×") \(group.first.cause)  (\(names))"
        }
    }
}

extension Row {
    /// Why it failed, in words for people, cleaned.
    public var cause: String {
        guard let error else { return "" }
        return clean(error.message.isEmpty ? error.code.rawValue : error.message)
    }

    /// What failures of one kind have in common: the code and, of HTTP's, the status.
    public var causeKey: String {
        guard let error else { return "" }
        return error.status.map { error.code == .http ? "\(error.code) \($0)" : error.code.rawValue }
            ?? error.code.rawValue
    }
}
