#if NCurses
import WhirlBoard
import WhirlCore

/// Makes commands of wishes, and an answer for the person who has them.
struct CommandDesk {
    private let board: Board
    private let commands: @Sendable (RunCommand) -> Void
    /// What was asked for last: the run does not say how many it runs at once.
    private var jobs: Int?
    private var message: (text: DashboardModel.Message, until: Int)?
    private var warning: String?

    /// How long an answer stands, in milliseconds.
    private static let patience = 4000
    private static let mostJobs = 1000
    /// Where nobody said how many.
    private static let usualJobs = 8

    init(_ board: Board, _ commands: @escaping @Sendable (RunCommand) -> Void) {
        self.board = board
        self.commands = commands
    }

    /// Sends what the wish asks for.
    mutating func take(_ wish: Wish, _ selected: TaskID?, _ view: BoardView, at now: Int) {
        if let text = send(wish, selected, view) { say(DashboardModel.Message(text: text), at: now) }
    }

    /// What there is to say about it; nil where the rows say it all.
    private mutating func send(_ wish: Wish, _ selected: TaskID?, _ view: BoardView) -> String? {
        switch wish {
        case .move, .show, .repaint: break
        case .quit: commands(.quit(reason: "user"))
        case .drain: commands(.drain)
        case .jobs(let difference): return setJobs(difference, view)
        case .toggleAll: return toggleAll()
        case .retryAll: return retryAll()
        case .toggle, .cancel, .retry:
            if let command = wish.command(for: selected.flatMap { board.row($0) }) {
                commands(command)
            } else if wish == .retry {
                return retryAll()
            } else if selected != nil {
                return "it has ended"
            }
        }
        return nil
    }

    private mutating func setJobs(_ difference: Int, _ view: BoardView) -> String {
        let now = max(1, min((jobs ?? view.jobs ?? Self.usualJobs) + difference, Self.mostJobs))
        jobs = now
        commands(.setJobs(now))
        return now == 1 ? "1 transfer at once" : "\(now) transfers at once"
    }

    /// Those that wait first, or they would take the slots of those that run.
    private func toggleAll() -> String {
        let awake = board.ids(in: [.queued, .active])
        for id in awake { commands(.suspend(id)) }
        guard awake.isEmpty else { return "pausing \(awake.count)" }
        let paused = board.ids(in: [.paused]).count
        if paused > 0 { commands(.resumeAll) }
        return paused == 0 ? "nothing to pause" : "resuming \(paused)"
    }

    private func retryAll() -> String {
        let failed = board.ids(in: [.failed])
        for id in failed { commands(.retry(id)) }
        return failed.isEmpty ? "nothing has failed" : "retrying \(failed.count)"
    }

    // MARK: answers

    private mutating func say(_ text: DashboardModel.Message, at now: Int) {
        message = (text, now + Self.patience * (text.isWarning ? 2 : 1))
    }

    /// A warning of the run is shown once, for a while: the log keeps it.
    mutating func warn(_ text: String?, at now: Int) {
        if let text, text != warning {
            warning = text
            say(DashboardModel.Message(text: text, isWarning: true), at: now)
        }
        if let until = message?.until, until <= now { message = nil }
    }

    /// What to show now.
    func answer(at now: Int) -> DashboardModel.Message? { message.flatMap { $0.until > now ? $0.text : nil } }

    /// Another key was pressed.
    mutating func forgetAnswer() { message = nil }

    /// When the answer goes, in milliseconds; nil when there is none.
    var due: Int? { message?.until }
}
#endif
