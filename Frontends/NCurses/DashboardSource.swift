#if NCurses
import WhirlBoard
import WhirlCore

/// What a screen draws from: the rows, the run's one indicator, and the time.
final class DashboardSource: Sendable {
    let board: Board
    let clock = LoopClock()
    /// On while any task runs.
    let activity: ActivityMonitor
    /// What it counts: to follow each of many tasks would cost more than all the rest of a screen.
    private static let run = TaskID(number: 0)

    init(_ board: Board) {
        self.board = board
        activity = ActivityMonitor(clock: clock) { _ in TerminalSignals.bell?.wake() }
    }

    /// Whether any task runs, as far as it was looked at.
    func note(isBusy: Bool) {
        if isBusy { activity.start(Self.run) } else { activity.stop(Self.run) }
    }
}
#endif
