/// What is shown of a run at one moment.
public struct BoardView: Sendable {
    /// The rows asked for, in the order of their groups.
    public var rows: [Row]
    /// How many rows there are in all.
    public var count: Int
    /// The sums over all tasks.
    public var totals: Totals
    /// Two views with the same number differ at most in what the clock moves: speeds, durations, estimates.
    public var generation: UInt64
    /// The newest warning, cleaned; nil when there was none.
    public var warning: String?
}
