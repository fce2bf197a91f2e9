#if NCurses
import Glibc
import Synchronization
import WhirlBoard
import WhirlCore

/// What the screen's thread does: waits for keys, signals and the next frame, and draws what has changed.
struct DashboardLoop {
    private var screen: Screen
    private let glyphs: Glyphs
    private let board: Board
    private let commands: @Sendable (RunCommand) -> Void
    private var browser = Browser()
    private var view: BoardView
    private var distant: Row?
    private var pace = Pace()
    private var lookedAt = 0
    /// The process is in the background: the terminal belongs to someone else.
    private var isHidden = false

    /// How often to see whether the terminal is ours again: a shell does not say so.
    private static let hiddenPeriod = 250

    init(
        _ screen: Screen, _ glyphs: Glyphs, _ board: Board, _ commands: @escaping @Sendable (RunCommand) -> Void
    ) {
        self.screen = screen
        self.glyphs = glyphs
        self.board = board
        self.commands = commands
        view = board.view(from: 0, count: 0)
    }

    /// Returns when the screen is to end, or its terminal is gone.
    mutating func run(_ thread: ScreenThread) {
        look()
        while !thread.mustEnd {
            attend()
            if !isHidden {
                for key in screen.keys() { press(key) }
                if milliseconds() >= lookedAt + pace.looks { look() }
                draw()
            }
            guard wait(thread) else { return }
        }
    }

    /// Gives the terminal back, and then what was held.
    mutating func leave() {
        if !isHidden { screen.leave() }
        Rescue.disarm()
        screen.close()
    }

    // MARK: signals

    private mutating func attend() {
        if TerminalSignals.isToStop.exchange(false, ordering: .relaxed), !isHidden {
            hide()
            TerminalSignals.stop()
            TerminalSignals.hasContinued.store(false, ordering: .relaxed)
        }
        if TerminalSignals.hasContinued.exchange(false, ordering: .relaxed), !isHidden {
            // Stopped by force: the shell has changed the terminal's modes and written on the screen.
            if screen.isInForeground { hide() } else { isHidden = true }
        }
        if isHidden, screen.isInForeground { show() }
        if TerminalSignals.hasResized.exchange(false, ordering: .relaxed), !isHidden { resize() }
    }

    private mutating func hide() {
        screen.leave()
        isHidden = true
        Rescue.isShown.store(false, ordering: .relaxed)
    }

    private mutating func show() {
        isHidden = false
        Rescue.isShown.store(true, ordering: .relaxed)
        screen.forget()
        resize()
    }

    private mutating func resize() {
        screen.resize()
        look()
    }

    // MARK: keys

    private mutating func press(_ key: Key) {
        guard let wish = browser.press(key, page: bodyRows(screen.size), count: view.count) else { return }
        switch wish {
        case .move: look()
        case .repaint: screen.forget()
        case .toggle, .cancel, .quit:
            let row = browser.selected.flatMap { board.row($0) }
            if let command = Browser.command(wish, row) { commands(command) }
            look()
        }
    }

    // MARK: drawing

    private mutating func look() {
        let page = bodyRows(screen.size)
        view = board.view(from: browser.top, count: page)
        if browser.fit(page: page, count: view.count) { view = board.view(from: browser.top, count: page) }
        browser.settle(view.rows)
        let selected = browser.selected
        distant = view.rows.contains { $0.id == selected } ? nil : selected.flatMap { board.row($0) }
        lookedAt = milliseconds()
    }

    private mutating func draw() {
        let model = DashboardModel(
            rows: view.rows, count: view.count, totals: view.totals, warning: view.warning,
            selected: browser.selected, distant: distant, cursor: browser.cursor, isQuitting: browser.isQuitting)
        let began = milliseconds()
        if screen.draw(frame(model, screen.size, tick: began / Pace.tick, glyphs)) {
            pace.took(milliseconds() - began)
        }
    }

    // MARK: waiting

    private func milliseconds() -> Int { Int(monotonicNanoseconds() / 1_000_000) }

    /// Waits for what comes first; false when the terminal is gone.
    private func wait(_ thread: ScreenThread) -> Bool {
        var left = timeout()
        let isIdle = left < 0
        if isIdle {
            // Whatever changed before this is seen here; whoever changes something after it rings.
            thread.fallAsleep()
            if board.generation != view.generation { left = 0 }
        }
        defer { if isIdle { thread.stayAwake() } }
        var entries = [
            pollfd(fd: isHidden ? -1 : screen.descriptor, events: Int16(POLLIN), revents: 0),
            pollfd(fd: TerminalSignals.bell?.descriptor ?? -1, events: Int16(POLLIN), revents: 0),
        ]
        guard unsafe poll(&entries, 2, Int32(left)) > 0 else { return true }
        if entries[1].revents != 0 { TerminalSignals.bell?.clear() }
        return entries[0].revents & Int16(POLLHUP | POLLERR | POLLNVAL) == 0
    }

    /// Milliseconds until the next frame is due; negative when nothing moves.
    private func timeout() -> Int {
        if isHidden { return Self.hiddenPeriod }
        let now = milliseconds()
        let totals = view.totals
        var due = Int.max
        if totals.active > 0 || totals.speed > 0 || board.generation != view.generation { due = lookedAt + pace.looks }
        if view.rows.contains(where: \.isAnimating) { due = min(due, (now / pace.frames + 1) * pace.frames) }
        return due == .max ? -1 : max(0, due - now)
    }
}
#endif
