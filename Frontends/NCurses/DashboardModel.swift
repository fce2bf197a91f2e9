#if NCurses
import WhirlBoard
import WhirlCore

/// All that a frame shows.
struct DashboardModel: Sendable {
    /// What a person has just asked for came to this, or the run has a warning.
    struct Message: Equatable, Sendable {
        /// Cleaned.
        var text: String
        var isWarning = false
    }

    /// The selected task in full.
    struct Details: Sendable {
        var row: Row
        /// Nil before it has begun.
        var history: TaskHistory?
    }

    /// The rows in sight.
    var rows: [Row] = []
    /// How many rows the query finds in all.
    var count = 0
    var totals = Totals()
    /// Tasks run: the run's own indicator is on.
    var isBusy = false
    /// The newest notes, the newest last; at least as many as there is room for.
    var notes: [BoardNote] = []
    /// The newest failures, the newest last; likewise.
    var failures: [Row] = []
    var message: Message?
    /// The row of the selected task when it is out of sight.
    var distant: Row?
    /// For the pane of details; nil when there is no task.
    var details: Details?
    /// Where the person looks.
    var browser = Browser()
}
#endif
