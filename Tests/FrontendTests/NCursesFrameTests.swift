#if NCurses
import FoundationEssentials
import Testing
import WhirlBoard
import WhirlCore

@testable import WhirlNCurses

@Suite struct NCursesFrameTests {
    struct Golden: CustomTestStringConvertible, Sendable {
        let columns: Int
        let rows: Int
        var glyphs = Glyphs.unicode()
        var state = ""
        var model = Samples.model()

        var name: String { "\(columns)x\(rows)\(state)\(glyphs.isASCII ? "-ascii" : "")" }
        var testDescription: String { name }
        var size: ScreenSize { ScreenSize(columns: columns, rows: rows) }
    }

    static let goldens = [
        Golden(columns: 80, rows: 24), Golden(columns: 40, rows: 10), Golden(columns: 200, rows: 60),
        Golden(columns: 120, rows: 30), Golden(columns: 60, rows: 12), Golden(columns: 20, rows: 5),
        Golden(columns: 1, rows: 1), Golden(columns: 19, rows: 4), Golden(columns: 80, rows: 24, glyphs: .ascii),
        Golden(columns: 40, rows: 10, glyphs: .ascii),
        Golden(columns: 80, rows: 24, state: "-log", model: Samples.model(keys: [.character("l")])),
        Golden(columns: 40, rows: 10, state: "-log", model: Samples.model(keys: [.character("l")])),
        Golden(columns: 80, rows: 24, state: "-help", model: Samples.model(keys: [.character("?")])),
        Golden(columns: 40, rows: 10, state: "-help", model: Samples.model(keys: [.character("?"), .down])),
        Golden(columns: 80, rows: 24, state: "-quit", model: Samples.model(keys: [.character("q")])),
        Golden(columns: 40, rows: 10, state: "-quit", model: Samples.model(keys: [.character("q")])),
        Golden(columns: 80, rows: 24, state: "-filter", model: filtered),
        Golden(columns: 80, rows: 24, state: "-details", model: detailed),
        Golden(columns: 40, rows: 30, state: "-details", model: detailed),
        Golden(columns: 20, rows: 5, state: "-details", model: detailed),
    ]

    private static var filtered: DashboardModel {
        var model = Samples.model(keys: [.character("s"), .character("/"), .character("i"), .character("s"), .enter])
        model.rows = Samples.rows.filter { $0.name.contains("is") }
        model.count = model.rows.count
        model.browser.settle(model.rows)
        return model
    }

    private static var detailed: DashboardModel {
        var model = Samples.model(keys: [.enter])
        model.details = Samples.details
        return model
    }

    @Test("A screen of each size looks as drawn in Golden/", arguments: goldens)
    func looksAsDrawn(_ golden: Golden) throws {
        let drawn = frame(golden.model, golden.size, tick: 7, golden.glyphs).text
        let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Golden/\(golden.name).txt")
        // GOLDEN=write draws them anew; then look at what changed.
        if ProcessInfo.processInfo.environment["GOLDEN"] == "write" {
            try drawn.write(to: file, atomically: true, encoding: .utf8)
        }
        let expected = try String(contentsOf: file, encoding: .utf8)
        #expect(drawn == expected, "\n\(drawn)")
    }

    @Test("Nothing is wider or higher than the screen, at any size", arguments: [Glyphs.unicode(), .ascii])
    func fits(_ glyphs: Glyphs) {
        let models = Self.goldens.suffix(11).map(\.model)
        for columns in 0...260 {
            for rows in [0, 1, 2, 3, 5, 24, 45] {
                let size = ScreenSize(columns: columns, rows: rows)
                let lines = frame(models[(columns + rows) % models.count], size, tick: columns, glyphs)
                #expect(lines.count <= rows)
                for line in lines {
                    let width = glyphs.measure.count(line.map(\.text).joined())
                    #expect(width <= columns, "\(columns)x\(rows): \(line)")
                }
            }
        }
    }

    @Test(
        "Every part of a row begins in one column, whatever the name",
        arguments: [20, 29, 30, 59, 60, 76, 80, 100, 140, 200])
    func lineUp(_ width: Int) {
        let columns = RowColumns(width: width)
        for row in Samples.rows {
            for glyphs in [Glyphs.unicode(), .ascii] {
                let line = RowLine(row: row, columns: columns, isSelected: false, tick: 0, glyphs: glyphs).line
                let ends = line.indices.map { glyphs.measure.count(line[...$0].map(\.text).joined()) }
                #expect(ends.contains(RowColumns.lead + columns.name), "\(row.name)")
                #expect(glyphs.measure.count(line.map(\.text).joined()) == width, "\(row.name)")
            }
        }
    }

    @Test("No control character of a hostile name reaches a line")
    func holdsNoControls() {
        let text = frame(Samples.model(), ScreenSize(columns: 200, rows: 30), tick: 0, .unicode()).text
        #expect(text.contains("evil^[[2J^[]0;PWNED^G.bin"))
        #expect(text.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control || $0 == "\n" })
    }

    @Test("A terminal without UTF-8 is given ASCII alone", arguments: [1, 20, 40, 80, 200])
    func staysASCII(_ width: Int) {
        let text = frame(Samples.model(), ScreenSize(columns: width, rows: 30), tick: 3, .ascii).text
        #expect(text.utf8.allSatisfy { $0 < 0x80 })
    }

    @Test("What is not animated does not change with time")
    func restsWithoutAnimation() {
        var model = Samples.model()
        model.rows.removeAll(where: \.isAnimating)
        model.isBusy = false
        let size = ScreenSize(columns: 200, rows: 30)
        let first = frame(model, size, tick: 0, .unicode())
        #expect((1...40).allSatisfy { frame(model, size, tick: $0, .unicode()) == first })
    }

    @Test("A running row turns its spinner, and its bar runs to and fro while the total is unknown")
    func animates() {
        let columns = RowColumns(width: 80)
        func bars(_ row: Row) -> Set<String> {
            Set(
                (0..<60).map {
                    RowLine(row: row, columns: columns, isSelected: false, tick: $0, glyphs: .unicode()).line[4].text
                })
        }
        let spinners = (0..<10).map {
            RowLine(row: Samples.rows[0], columns: columns, isSelected: false, tick: $0, glyphs: .unicode()).line[1]
                .text
        }
        #expect(Set(spinners).count == 10)
        #expect(bars(Samples.rows[0]).count == 1)
        #expect(bars(Samples.rows[1]).count == 12)
    }

    @Test("The selection has a mark of its own, not only a style")
    func marksSelection() {
        let lines = frame(Samples.model(selected: 3), ScreenSize(columns: 80, rows: 24), tick: 0, .unicode())
        #expect(lines.filter { $0.first?.text == "›" } == [lines[3]])
        #expect(lines[3].allSatisfy { $0.style == .reverse })
    }

    @Test("A selection out of sight is named in the last line")
    func namesDistantSelection() throws {
        var model = Samples.model()
        model.distant = Samples.row(99, "far.iso", .paused)
        let last = try #require(frame(model, ScreenSize(columns: 80, rows: 24), tick: 0, .unicode()).last)
        #expect(last.map(\.text).joined().hasPrefix("› paused: far.iso"))
    }

    @Test("100 % is shown of what has completed, and of nothing else")
    func showsHonestPercent() {
        let size = ScreenSize(columns: 80, rows: 24)
        let lines = frame(Samples.model(), size, tick: 0, .unicode()).text.split(separator: "\n")
        #expect(lines.filter { $0.contains("100%") }.count == 1)
        #expect(lines.contains { $0.contains("combining") && $0.contains("99%") })
    }

    @Test(
        "No number, however wild, ends the program or breaks a line",
        arguments: [
            Double.nan, .infinity, -.infinity, -1, 0, 1e-300, 1e308,
        ])
    func survives(_ number: Double) {
        var model = Samples.model()
        model.totals.speed = number
        model.totals.remaining = number
        model.totals.bytes = .max
        var row = Samples.running(1, "x", .max, of: 1, number)
        row.remaining = number
        row.duration = number
        row.delay = number
        var again = row
        again.phase = .backoff
        var ended = Samples.ended(2, "y", .max, .completed(TaskCompletion()))
        ended.duration = number
        model.rows = [row, again, ended, Samples.running(3, "z", -5, of: 0, number)]
        for width in [20, 40, 80, 200] {
            for line in frame(model, ScreenSize(columns: width, rows: 24), tick: .max, .unicode()) {
                #expect(Columns().count(line.map(\.text).joined()) <= width)
            }
        }
    }

    @Test("An empty run says so")
    func showsEmptyRun() {
        let text = frame(DashboardModel(), ScreenSize(columns: 40, rows: 10), tick: 0, .unicode()).text
        #expect(text.contains("no transfers yet"))
        #expect(text.contains("whirl 0/0"))
    }
}
#endif
