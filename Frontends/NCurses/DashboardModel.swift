#if NCurses
import WhirlBoard
import WhirlCore

/// All that a frame shows.
struct DashboardModel: Equatable, Sendable {
    /// The rows in sight.
    var rows: [Row] = []
    /// How many rows there are in all.
    var count = 0
    var totals = Totals()
    /// The newest warning, cleaned.
    var warning: String?
    /// The task that keys act on.
    var selected: TaskID?
    /// Its row when it is out of sight.
    var distant: Row?
    /// Where the selection is, from 0.
    var cursor = 0
    /// The person has asked to quit.
    var isQuitting = false
}
#endif
