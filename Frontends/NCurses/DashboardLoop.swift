#if NCurses
import Glibc
import Synchronization
import WhirlBoard
import WhirlCore

/// What the screen's thread does: waits for keys, signals and the next frame, and draws what has changed.
struct DashboardLoop {
    private var screen: Screen
    private let glyphs: Glyphs
    private let source: DashboardSource
    private var desk: CommandDesk
    private var browser = Browser()
    private var view: BoardView
    private var distant: Row?
    private var details: DashboardModel.Details?
    private var pace: Pace
    private var lookedAt = 0
    /// The process is in the background: the terminal belongs to someone else.
    private var isHidden = false

    /// How often to see whether the terminal is ours again: a shell does not say so.
    private static let hiddenPeriod = 250

    init(
        _ screen: Screen, _ glyphs: Glyphs, _ source: DashboardSource, pace: Pace,
        _ commands: @escaping @Sendable (RunCommand) -> Void
    ) {
        self.screen = screen
        self.glyphs = glyphs
        self.source = source
        self.pace = pace
        desk = CommandDesk(source.board, commands)
        view = source.board.view(from: 0, count: 0)
    }

    /// Returns when the screen is to end, or its terminal is gone.
    mutating func run(_ thread: ScreenThread) {
        look()
        while !thread.mustEnd {
            attend()
            source.clock.run()
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
        desk.forgetAnswer()
        guard let wish = browser.press(key, extent) else { return }
        switch wish {
        case .repaint: screen.forget()
        case .move, .show: break
        default: desk.take(wish, browser.selected, view, at: milliseconds())
        }
        look()
    }

    private var extent: Browser.Extent {
        let isCovered = browser.pane != .list
        let lines = isCovered ? paneLines(model, width: screen.size.columns, glyphs)?.count ?? 0 : 0
        return Browser.Extent(
            page: isCovered ? max(1, screen.size.rows - 2) : layout.body, count: view.count, lines: lines,
            unfinished: view.totals.created - view.totals.ended, showsLog: layout.log > 0)
    }

    private var layout: FrameLayout {
        FrameLayout(screen.size, showsLog: browser.showsLog, failed: view.totals.failed)
    }

    // MARK: drawing

    private mutating func look() {
        view = seen()
        if browser.fit(page: layout.body, count: view.count) { view = seen() }
        source.note(isBusy: view.totals.active > 0)
        browser.settle(view.rows)
        let selected = browser.selected
        let row = view.rows.first { $0.id == selected } ?? selected.flatMap { source.board.row($0) }
        distant = view.rows.contains { $0.id == selected } ? nil : row
        details = nil
        if browser.pane == .details, let row {
            details = DashboardModel.Details(row: row, history: source.board.history(of: row.id))
        }
        lookedAt = milliseconds()
    }

    private func seen() -> BoardView {
        let layout = layout
        return source.board.view(
            browser.query, from: browser.top, count: layout.body, notes: layout.log, failures: layout.failures)
    }

    private var model: DashboardModel {
        DashboardModel(
            rows: view.rows, count: view.count, totals: view.totals, isBusy: source.activity.isVisible,
            notes: view.notes, failures: view.failures, message: desk.answer(at: milliseconds()), distant: distant,
            details: details, browser: browser)
    }

    private mutating func draw() {
        desk.warn(view.warning, at: milliseconds())
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
            if source.board.generation != view.generation { left = 0 }
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
        var due = desk.due ?? Int.max
        if let next = source.clock.next { due = min(due, Int(next / 1_000_000) + 1) }
        if totals.active > 0 || totals.speed > 0 || source.board.generation != view.generation {
            due = min(due, lookedAt + pace.looks)
        }
        if source.activity.isVisible || view.rows.contains(where: \.isAnimating) {
            due = min(due, (now / pace.frames + 1) * pace.frames)
        }
        return due == .max ? -1 : max(0, min(due - now, 60_000))
    }
}
#endif
