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

        mutating func press(_ keys: Key...) {
            for key in keys where browser.press(key, page: page, count: rows.count) == .move { look() }
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

    static let wishes: [(key: Key, wish: Browser.Wish?)] = [
        (.character(" "), .toggle), (.character("x"), .cancel), (.character("q"), .quit), (.repaint, .repaint),
        (.character("Z"), nil),
    ]

    @Test("A key means one thing", arguments: wishes)
    func hasMeaning(_ expected: (key: Key, wish: Browser.Wish?)) {
        var browser = Browser()
        #expect(browser.press(expected.key, page: 10, count: 3) == expected.wish)
    }

    struct Case: Sendable, CustomTestStringConvertible {
        let wish: Browser.Wish
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
        return [
            Case(wish: .toggle, row: running, command: .suspend(running.id)),
            Case(wish: .toggle, row: queued, command: .suspend(queued.id)),
            Case(wish: .toggle, row: Samples.paused, command: .resume(Samples.paused.id)),
            Case(wish: .toggle, row: done, command: nil), Case(wish: .toggle, row: nil, command: nil),
            Case(wish: .cancel, row: running, command: .cancel(running.id)),
            Case(wish: .cancel, row: Samples.paused, command: .cancel(Samples.paused.id)),
            Case(wish: .cancel, row: canceling, command: nil), Case(wish: .cancel, row: done, command: nil),
            Case(wish: .quit, row: nil, command: .quit(reason: "user")), Case(wish: .move, row: running, command: nil),
        ]
    }

    @Test("A wish becomes the command that fits the task as it is now", arguments: cases)
    func becomes(_ expected: Case) {
        #expect(Browser.command(expected.wish, expected.row) == expected.command)
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
}
#endif
