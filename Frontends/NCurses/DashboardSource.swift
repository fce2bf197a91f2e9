#if NCurses
import WhirlBoard
import WhirlCore

/// What a screen draws from: the rows, the run's one indicator, and the time.
final class DashboardSource: Sendable {
    let board: Board
    let clock = LoopClock()
    /// On while any task runs.
    let activity: ActivityMonitor

    init(_ board: Board) {
        self.board = board
        activity = ActivityMonitor(clock: clock) { _ in TerminalSignals.bell?.wake() }
    }

    func follow(_ task: any TransferTask) {
        board.follow(task)
        activity.follow(task)
    }
}
#endif
