import WhirlCore

/// How many transfers a plan has of each kind.
struct PlanTally: Equatable, Sendable {
    private var fetched = 0, resumed = 0, refreshed = 0, skipped = 0, failed = 0

    mutating func count(_ task: PlannedTask) {
        switch task.action {
        case .fetch: fetched += 1
        case .resume: resumed += 1
        case .refresh: refreshed += 1
        case .skip: skipped += 1
        case .fail: failed += 1
        }
    }

    /// `3 to fetch, 1 to continue, nothing was touched`.
    var sentence: Sentence {
        let parts = [
            (fetched, "to fetch"), (resumed, "to continue"), (refreshed, "to refresh"), (skipped, "to skip"),
            (failed, "would fail"),
        ].filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
        return "\(parts.isEmpty ? "nothing to do" : parts.joined(separator: ", ")); nothing was touched"
    }
}
