#if NCurses
import Synchronization
public import WhirlBoard
public import WhirlCore

/// A full screen with a row for each task, and keys that pause, resume, cancel and retry.
///
/// - It draws on the terminal itself: standard input and output are left alone.
/// - The terminal is given back exactly as it was; the summary follows on the main screen.
/// - A terminal that goes away or takes no bytes ends the screen, never the run.
/// - One at a time in a process: ncurses has room for one.
public final class Dashboard: Frontend {
    private static let isTaken = Atomic<Bool>(false)

    private let settings: DashboardSettings
    private let source: DashboardSource
    private let thread: ScreenThread

    /// A dashboard for that terminal.
    ///
    /// Throws a `TransferError` (`usage`) when no screen can be drawn there.
    ///
    /// Sets the process's `LC_CTYPE`.
    public init(_ settings: DashboardSettings, board: Board = Board()) throws(TransferError) {
        self.settings = settings
        source = DashboardSource(board)
        do {
            thread = try ScreenThread(settings, try Self.look(settings), source)
        } catch {
            throw TransferError(.usage, "the dashboard can't be shown: \(error.sentence)")
        }
    }

    /// Why no screen can be drawn there, as a sentence's end; nil when it can.
    ///
    /// Leaves no trace on the terminal.
    public static func obstacle(_ settings: DashboardSettings) -> String? {
        do {
            _ = try look(settings)
            return nil
        } catch {
            return error.sentence
        }
    }

    // terminfo's state is one for the process too.
    private static func look(_ settings: DashboardSettings) throws(ScreenFault) -> TerminalType {
        guard !isTaken.exchange(true, ordering: .acquiringAndReleasing) else { throw .taken }
        defer { isTaken.store(false, ordering: .releasing) }
        return try TerminalType(settings)
    }

    /// Gives the terminal back at once, from any thread or a signal handler, for a process that is about to leave.
    ///
    /// Nothing is drawn afterwards. Without a dashboard on the screen it does nothing.
    public static func abandonTerminal() { Rescue.restore() }

    /// Shows the screen, soon.
    ///
    /// Throws a `TransferError` (`usage`) when the terminal has become unusable since.
    public func open(_ commands: @escaping @Sendable (RunCommand) -> Void) throws {
        guard !Self.isTaken.exchange(true, ordering: .acquiringAndReleasing) else {
            throw TransferError(.usage, "the dashboard can't be shown: \(ScreenFault.taken.sentence)")
        }
        do {
            // A thread that can't be ended may be within ncurses for long: until it is out there is no other screen.
            try thread.start(commands) { Self.isTaken.store(false, ordering: .releasing) }
        } catch {
            Self.isTaken.store(false, ordering: .releasing)
            throw TransferError(.usage, "the dashboard can't be shown: \(error.sentence)")
        }
    }

    /// Has an indicator for the task's row, bound when the screen is looked at.
    public func follow(_ task: any TransferTask) { source.board.follow(task) }

    /// Takes the record; the screen shows it with one of its next frames.
    public func receive(_ record: RunRecord) {
        source.board.receive(record)
        thread.wake()
    }

    /// Leaves the screen, gives standard error back and writes the summary to it; returns within about a second, also when
    /// the terminal takes no bytes.
    public func close() -> FrontendTrouble? {
        let departure = thread.end()
        let text = unseen + source.board.summary(isASCII: thread.isASCII, keepsFiles: settings.keepsFiles)
        let writer = departure == .orderly ? nil : LineWriter(hasty: settings.standardError)
        // Who can't read standard error can't be told either.
        try? (writer ?? LineWriter(settings.standardError)).write(Array(text.utf8))
        return nil
    }

    /// The warnings that no screen has shown.
    private var unseen: String {
        guard !thread.wasShown else { return "" }
        let notes = source.board.view(from: 0, count: 0, notes: 100).notes
        return notes.filter { $0.kind == .warning }.map { "whirl: \($0.text)\n" }.joined()
    }
}
#endif
