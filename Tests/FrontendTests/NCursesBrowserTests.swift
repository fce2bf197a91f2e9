#if NCurses
import Testing
import WhirlBoard
import WhirlCore

@testable import WhirlNCurses

@Suite struct NCursesBrowserTests {
    /// A list of tasks, ten rows of which are in sight.
    struct List {
        var browser = Browser()
        var rows: [Row]
        let page = 10

        init(_ count: Int) { rows = (0..<count).map { Samples.row(UInt64($0 + 1), "\($0)", .active) } }

        var inSight: [Row] { Array(rows.dropFirst(browser.top).prefix(page)) }

        mutating func look() {
            _ = browser.fit(page: page, count: rows.count)
            browser.settle(inSight)
        }

        var extent: Browser.Extent { Browser.Extent(page: page, count: rows.count, lines: 30) }

        @discardableResult mutating func press(_ keys: Key...) -> Wish? {
            var wish: Wish?
            for key in keys {
                wish = browser.press(key, extent)
                if wish == .move { look() }
            }
            return wish
        }

        var selected: UInt64? { browser.selected?.number }
    }

    static let moves: [(keys: [Key], cursor: Int, top: Int)] = [
        ([.down], 1, 0), ([.character("j"), .character("j")], 2, 0), ([.up], 0, 0), ([.character("k")], 0, 0),
        ([.pageDown], 10, 1), ([.pageDown, .pageDown], 20, 11), ([.last], 24, 15), ([.character("G")], 24, 15),
        ([.last, .down], 24, 15), ([.last, .pageUp], 14, 14), ([.last, .first], 0, 0),
        ([.last, .character("g")], 0, 0),
    ]

    @Test("A key moves the selection and scrolls no further than it must", arguments: moves)
    func goes(_ move: (keys: [Key], cursor: Int, top: Int)) {
        var list = List(25)
        list.look()
        for key in move.keys { list.press(key) }
        #expect(list.browser.cursor == move.cursor)
        #expect(list.browser.top == move.top)
        #expect(list.selected == UInt64(move.cursor + 1))
    }

    @Test("Keys on an empty list select nothing")
    func toleratesEmptyList() {
        var list = List(0)
        list.look()
        list.press(.down, .up, .last, .pageDown, .first)
        #expect(list.selected == nil)
        #expect(list.browser.top == 0)
    }

    @Test("Until somebody moves, the selection is the first row")
    func followsFirstRow() {
        var list = List(5)
        list.look()
        list.rows.removeFirst()
        list.look()
        #expect(list.selected == 2)
    }

    @Test("The selection stays with its task when rows move")
    func sticksToTask() {
        var list = List(25)
        list.look()
        list.press(.down, .down)
        list.rows.swapAt(2, 7)
        list.look()
        #expect(list.selected == 3)
        #expect(list.browser.cursor == 7)
    }

    @Test("A task that was acted on stays selected out of sight, and moves go on from where it was")
    func keepsDistantSelection() {
        var list = List(25)
        list.look()
        list.press(.down, .character(" "))
        list.rows.append(list.rows.remove(at: 1))
        list.look()
        #expect(list.selected == 2)
        #expect(!list.inSight.contains { $0.id.number == 2 })
        list.press(.down)
        #expect(list.selected == 4)
    }

    @Test("When rows go, no empty lines remain below the last one")
    func fillsScreen() {
        var list = List(25)
        list.look()
        list.press(.last)
        list.rows.removeLast(12)
        list.look()
        #expect(list.browser.top == 3)
        #expect(list.inSight.count == 10)
    }

    static let wishes: [(key: Character, wish: Wish?)] = [
        (" ", .toggle), ("p", .toggle), ("P", .toggleAll), ("x", .cancel), ("r", .retry), ("R", .retryAll),
        ("+", .jobs(1)), ("-", .jobs(-1)), ("Q", .drain), ("?", .show), ("l", .move), ("e", .move), ("s", .move),
        ("/", .show), ("q", .show), ("Z", nil), ("é", nil),
    ]

    @Test("A key means one thing", arguments: wishes)
    func hasMeaning(_ expected: (key: Character, wish: Wish?)) {
        var list = List(3)
        #expect(list.press(.character(expected.key)) == expected.wish)
        #expect(list.press(.repaint) == .repaint)
    }

    @Test("q asks once while something runs; q again quits, Q drains, any other key goes on")
    func asksBeforeQuitting() {
        var list = List(3)
        #expect(list.press(.character("q")) == .show && list.browser.isAsking)
        #expect(list.press(.character("x")) == .show && !list.browser.isAsking && !list.browser.isQuitting)
        #expect(list.press(.character("q"), .character("Q")) == .drain && list.browser.isDraining)
        #expect(list.press(.character("q"), .character("q")) == .quit && list.browser.isQuitting)
        #expect(list.press(.character("q")) == .quit)
        var idle = Browser()
        #expect(idle.press(.character("q"), Browser.Extent(page: 9, count: 0, unfinished: 0)) == .quit)
    }

    @Test("While the filter is typed, letters are letters; Enter keeps it and Esc takes it away")
    func typesFilter() {
        var list = List(25)
        list.press(.last, .character("/"))
        for letter in "qx é日" { #expect(list.press(.character(letter)) == .move) }
        #expect(list.browser.query.text == "qx é日" && list.browser.isTyping)
        #expect(list.browser.cursor == 0 && list.browser.isFollowing)
        list.press(.backspace)
        #expect(list.browser.query.text == "qx é")
        #expect(list.press(.enter) == .show && !list.browser.isTyping && list.browser.query.text == "qx é")
        list.press(.character("/"), .escape)
        #expect(list.browser.query == RowQuery() && !list.browser.isTyping)
        list.press(.character("/"), .character("a"), .backspace, .backspace)
        #expect(!list.browser.isTyping)
    }

    @Test("e shows errors only, s sorts by the next of four orders, and Esc shows all again")
    func asksForOtherRows() {
        var list = List(25)
        list.press(.character("e"))
        #expect(list.browser.query.isOnlyErrors)
        list.press(.character("e"))
        #expect(!list.browser.query.isOnlyErrors)
        var orders: [RowQuery.Order] = []
        for _ in 0..<4 {
            list.press(.character("s"))
            orders.append(list.browser.query.order)
        }
        #expect(orders == [.name, .speed, .size, .state])
        list.press(.character("s"), .character("e"))
        #expect(list.press(.escape) == .move && list.browser.query == RowQuery())
        #expect(list.press(.escape) == nil)
    }

    @Test("A pane that covers the list is moved in by the same keys, no further than its end, and closed by four")
    func movesInPane() {
        var list = List(25)
        list.look()
        list.press(.down, .enter)
        #expect(list.browser.pane == .details)
        list.press(.down, .character("j"), .pageDown)
        #expect(list.browser.scroll == 12)
        list.press(.last)
        #expect(list.browser.scroll == 20)
        list.press(.up, .character("k"), .pageUp, .pageUp)
        #expect(list.browser.scroll == 0)
        #expect(list.press(.character(" ")) == .toggle && list.selected == 2)
        list.press(.escape)
        for key in [Key.escape, .enter, .character("q"), .character("?")] {
            list.press(.character("?"))
            #expect(list.browser.pane == .help)
            #expect(list.press(key) == .show && list.browser.pane == .list)
            list.press(.enter, key)
            #expect(list.browser.pane == .list && list.selected == 2)
        }
    }

    @Test("l shows the log where there is none, and hides it where there is")
    func togglesLog() {
        var list = List(3)
        list.press(.character("l"))
        #expect(list.browser.showsLog == true)
        _ = list.browser.press(.character("l"), Browser.Extent(page: 5, count: 3, showsLog: true))
        #expect(list.browser.showsLog == false)
    }

    struct Case: Sendable, CustomTestStringConvertible {
        let wish: Wish
        let row: Row?
        let command: RunCommand?
        var testDescription: String { "\(wish) of \(row?.name ?? "nothing")" }
    }

    static var cases: [Case] {
        let running = Samples.running(1, "running", 1, of: 2, 1)
        let queued = Samples.row(2, "queued", .queued)
        var canceling = running
        canceling.state = .canceling
        let done = Samples.ended(3, "done", 1, .completed(TaskCompletion()))
        let failed = Samples.ended(4, "failed", 1, .failed(TransferError(.reset, "gone")))
        return [
            Case(wish: .toggle, row: running, command: .suspend(running.id)),
            Case(wish: .toggle, row: queued, command: .suspend(queued.id)),
            Case(wish: .toggle, row: Samples.paused, command: .resume(Samples.paused.id)),
            Case(wish: .toggle, row: done, command: nil), Case(wish: .toggle, row: nil, command: nil),
            Case(wish: .cancel, row: running, command: .cancel(running.id)),
            Case(wish: .cancel, row: Samples.paused, command: .cancel(Samples.paused.id)),
            Case(wish: .cancel, row: canceling, command: nil), Case(wish: .cancel, row: done, command: nil),
            Case(wish: .retry, row: failed, command: .retry(failed.id)),
            Case(wish: .retry, row: running, command: nil), Case(wish: .cancel, row: failed, command: nil),
            Case(wish: .move, row: running, command: nil),
        ]
    }

    @Test("A wish becomes the command that fits the task as it is now", arguments: cases)
    func becomes(_ expected: Case) {
        #expect(expected.wish.command(for: expected.row) == expected.command)
    }
}

@Suite struct NCursesPaceTests {
    @Test("Slow frames halve the rate down to one in two seconds; ten quick ones double it again")
    func adapts() {
        var pace = Pace()
        #expect(pace.frames == 100 && pace.looks == 250)
        for _ in 0..<10 { pace.took(51) }
        #expect(pace.frames == 2000 && pace.looks == 2000)
        for _ in 0..<9 { pace.took(50) }
        #expect(pace.frames == 2000)
        pace.took(50)
        #expect(pace.frames == 1000)
        for _ in 0..<100 { pace.took(1) }
        #expect(pace.frames == 100 && pace.looks == 250)
    }

    @Test("A rate that is asked for is the best one, also far away", arguments: [(1, 1000), (10, 100), (30, 33)])
    func asked(_ rate: Int, _ period: Int) {
        var pace = Pace(isRemote: true, framesPerSecond: rate)
        #expect(pace.frames == period)
        pace.took(51)
        for _ in 0..<100 { pace.took(1) }
        #expect(pace.frames == period && pace.looks == max(250, period))
    }
}
#endif
