import WhirlCore

/// How a run went, for people.
public struct Summary: Sendable {
    /// That many failures are listed one by one; more are grouped by cause.
    public static let most = 20
    private let totals: Totals
    private let failures: [Row]
    private let partials: [Row]
    private let isASCII: Bool
    /// That many files that can be gone on with are named.
    private static let mostPartials = 5

    /// A summary of a run with these sums, these failed rows and these of which bytes are kept; `isASCII` for terminals
    /// that know no more.
    public init(_ totals: Totals, failures: [Row], partials: [Row] = [], isASCII: Bool = false) {
        self.totals = totals
        self.failures = failures
        self.partials = partials
        self.isASCII = isASCII
    }

    /// The first line says it all; the others, indented, are the failures, cause by cause, and what is left to go on with.
    public var lines: [String] { [first] + (failures.count > Self.most ? causes : each) + kept }

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
        groups.flatMap { group in
            group.map { row in
                var cause = row.cause
                if row.attempt > 1 { cause += ", \(row.attempt) tries" }
                return "  FAILED  \(columns.pad(row.name, to: 24))  \(cause)  \(row.url)"
            }
        }
    }

    private var causes: [String] {
        groups.map { group in
            let names = group.count > 1 ? "\(group[0].name) and \(group.count - 1) more" : group[0].name
            return "  FAILED  \(group.count) \(isASCII ? "x" : "×") \(group[0].cause)  (\(names))"
        }
    }

    /// Failures of one cause beside each other, in the order of the first of each; no group is empty.
    private var groups: [[Row]] {
        var places: [String: Int] = [:]
        var groups: [[Row]] = []
        for row in failures {
            if let place = places[row.causeKey] {
                groups[place].append(row)
            } else {
                places[row.causeKey] = groups.count
                groups.append([row])
            }
        }
        return groups
    }

    /// What another run can go on with, and how.
    private var kept: [String] {
        guard !partials.isEmpty else { return [] }
        var lines = partials.prefix(Self.mostPartials).map { row in
            var bytes = Units.bytes(row.progress.received, gap: " ")
            if let total = row.progress.total { bytes += " of " + Units.bytes(total, gap: " ") }
            return "  KEPT    \(columns.pad(bytes, to: 24))  \(row.destination).part"
        }
        let rest = partials.count - lines.count
        if rest > 0 { lines.append("  KEPT    \(rest) more") }
        return lines + ["  The same command goes on from what is kept, where the server allows it."]
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
