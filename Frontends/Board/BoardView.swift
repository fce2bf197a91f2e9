/// What is shown of a run at one moment.
public struct BoardView: Sendable {
    /// The rows asked for, in the order of the query.
    public var rows: [Row]
    /// How many rows the query finds in all.
    public var count: Int
    /// The sums over all tasks.
    public var totals: Totals
    /// What happened last, the newest at the end; as many notes as were asked for.
    public var notes: [BoardNote] = []
    /// Rows of tasks that failed, the newest at the end; as many as were asked for.
    public var failures: [Row] = []
    /// How many tasks the run was made to run at once; nil before its `run`.
    public var jobs: Int?
    /// Two views with the same number differ at most in what the clock moves: speeds, durations, estimates.
    public var generation: UInt64
    /// The newest warning, cleaned; nil when there was none.
    public var warning: String?
}
