#if NCurses
import Glibc
import Testing
import WhirlBoard
import WhirlCore

@testable import WhirlNCurses

/// Dashboards on terminals of their own; one at a time, as ncurses has it.
@Suite(.serialized, .timeLimit(.minutes(1))) struct DashboardTests {
    private let toAlternate = "\u{1B}[?1049h"
    private let toMain = "\u{1B}[?1049l"
    private let showCursor = "\u{1B}[?25h"
    private let hideCursor = "\u{1B}[?25l"

    /// Whether the cursor was moved to that line.
    private func isAt(_ output: String, line: Int) -> Bool {
        output.contains("\u{1B}[\(line);1H") || output.contains("\u{1B}[\(line)d")
    }

    @Test("The terminal is as before afterwards, and the summary follows on the main screen")
    func givesTerminalBack() throws {
        let terminal = TestTerminal()
        let side = terminal.opened()
        defer { close(side) }
        let modes = terminal.modes
        let run = try TestRun(terminal, ["a.bin"], standardError: side)
        try run.open()
        #expect(terminal.wait(for: "a.bin"))
        #expect(terminal.modes != modes)
        #expect(run.close() == nil)
        #expect(terminal.modes == modes)
        #expect(terminal.wait(for: "whirl: 0 done"))
        let output = terminal.output
        let left = try #require(output.ranges(of: toMain).last)
        #expect(output.contains(toAlternate))
        #expect(try #require(output.ranges(of: toAlternate).last).upperBound < left.lowerBound)
        #expect(try #require(output.firstRange(of: "whirl: 0 done")).lowerBound > left.upperBound)
        #expect(
            try #require(output.ranges(of: showCursor).last).lowerBound
                > #require(output.ranges(of: hideCursor).last).lowerBound)
    }

    @Test(
        "It works on terminals with and without a second screen",
        arguments: ["xterm-256color", "tmux-256color", "screen", "linux", "vt100", "xterm-kitty", "rxvt"])
    func worksOn(_ type: String) throws {
        let terminal = TestTerminal()
        let modes = terminal.modes
        let run = try TestRun(terminal, ["a.bin", "b.bin"], type: type)
        try run.open()
        #expect(terminal.wait(for: "b.bin"))
        run.close()
        #expect(terminal.modes == modes)
    }

    @Test("A terminal that can't show a screen is refused with a sentence, and gets no byte")
    func refuses() {
        let terminal = TestTerminal()
        let side = terminal.opened()
        defer { close(side) }
        let types: [(String?, String)] = [
            (nil, "TERM is not set"), ("", "TERM is not set"), ("dumb", "can't move its cursor"),
            ("nosuch", "type nosuch"), ("unknown", "type unknown"),
        ]
        for (type, words) in types {
            let settings = TestRun.settings(terminal, type)
            let error = #expect(throws: TransferError.self) { try Dashboard(settings) }
            #expect(error?.code == .usage)
            #expect(error?.message.contains(words) == true, "\(error?.message ?? "")")
            #expect(Dashboard.obstacle(settings)?.contains(words) == true)
        }
        var nowhere = TestRun.settings(terminal, "xterm")
        nowhere.path = "/nonexistent/tty"
        #expect(Dashboard.obstacle(nowhere)?.contains("no terminal here") == true)
        nowhere.path = "/dev/null"
        #expect(Dashboard.obstacle(nowhere)?.contains("no terminal here") == true)
        #expect(Dashboard.obstacle(TestRun.settings(terminal, "xterm")) == nil)
        #expect(terminal.output == "")
    }

    @Test("A run that ends before the terminal is taken leaves nothing on it but its warnings and its summary")
    func short() throws {
        let terminal = TestTerminal()
        let side = terminal.opened()
        defer { close(side) }
        let modes = terminal.modes
        var settings = TestRun.settings(terminal, "xterm-256color", side)
        settings.delay = 3600
        let run = try TestRun(["a.bin"], settings)
        try run.open()
        run.begin(run.jobs[0])
        run.tell(.warning("something odd"))
        run.jobs[0].core.end(.completed(TaskCompletion()))
        #expect(terminal.output == "" && terminal.modes == modes)
        #expect(run.close() == nil)
        #expect(terminal.wait(for: "1 done"))
        #expect(
            terminal.output.hasPrefix("whirl: something odd\r\nwhirl: 1 done") && !terminal.output.contains("\u{1B}"))
        #expect(terminal.modes == modes)
    }

    @Test("A run that goes on is shown after the delay, and within a tenth of a second unless the machine is busy")
    func long() throws {
        let terminal = TestTerminal()
        let side = terminal.opened()  // what nobody has opened can't be waited on
        defer { close(side) }
        var settings = TestRun.settings(terminal, "xterm-256color")
        settings.delay = DashboardSettings(environment: [:]).delay
        #expect(settings.delay < 0.1)
        let run = try TestRun(["a.bin"], settings)
        let clock = ContinuousClock()
        let took = try clock.measure {
            try run.open()
            #expect(terminal.wait(for: toAlternate))
        }
        // What comes from an own thread on a busy machine comes a little later.
        #expect(took >= .seconds(settings.delay) && took < .seconds(2))
        #expect(terminal.wait(for: "a.bin"))
        run.close()
        #expect(terminal.output.contains(toMain))
    }

    @Test("A terminal that becomes unusable before it is taken ends no run")
    func lost() throws {
        let terminal = TestTerminal()
        var settings = TestRun.settings(terminal, "xterm-256color")
        settings.delay = 0.001
        let run = try TestRun(["a.bin"], settings)
        terminal.hangUp()
        try run.open()
        run.begin(run.jobs[0])
        run.jobs[0].core.end(.completed(TaskCompletion()))
        #expect(run.close() == nil)
    }

    @Test("Keys become commands for the task that is selected")
    func takesKeys() async throws {
        let terminal = TestTerminal()
        let run = try TestRun(terminal, ["one", "two", "three"])
        try run.open()
        for job in run.jobs { run.begin(job) }
        #expect(terminal.wait(for: "three"))
        var commands = run.commands.makeAsyncIterator()
        terminal.press(" ")
        #expect(await commands.next() == .suspend(run.jobs[0].core.id))
        terminal.press("jx")
        #expect(await commands.next() == .cancel(run.jobs[1].core.id))
        terminal.press("\u{1B}OB ")
        #expect(await commands.next() == .suspend(run.jobs[2].core.id))
        run.jobs[2].suspend()
        terminal.press(" ")
        #expect(await commands.next() == .resume(run.jobs[2].core.id))
        terminal.press("+")
        #expect(await commands.next() == .setJobs(9))
        #expect(terminal.wait(for: "9 transfers at once"))
        run.jobs[2].core.end(.failed(TransferError(.reset, "gone")))
        #expect(terminal.wait(for: "gone"))
        terminal.press("R")
        #expect(await commands.next() == .retry(run.jobs[2].core.id))
        terminal.press("Q")
        #expect(await commands.next() == .drain)
        terminal.press("q")
        #expect(terminal.wait(for: "quit?"))
        terminal.press("q")
        #expect(await commands.next() == .quit(reason: "user"))
        run.close()
    }

    @Test("Letters of any script find rows while they are typed")
    func findsRows() throws {
        let terminal = TestTerminal()
        let run = try TestRun(terminal, ["one.bin", "日本.bin", "three.bin"])
        try run.open()
        #expect(terminal.wait(for: "three.bin"))
        terminal.press("/日")
        #expect(terminal.repaints { $0.contains("/日") && $0.contains("1/1") })
        terminal.clear()
        terminal.press("\u{1B}")
        #expect(terminal.repaints { $0.contains("1/3") && $0.contains("three.bin") })
        run.close()
    }

    @Test("The run's own indicator turns once something has run for a second")
    func showsActivity() throws {
        let terminal = TestTerminal()
        let run = try TestRun(terminal, ["a.bin"])
        try run.open()
        #expect(terminal.wait(for: "a.bin"))
        run.begin(run.jobs[0])
        #expect(terminal.wait(for: "connecting"))
        let spinners = Glyphs.unicode().spinner
        #expect(!spinners.contains { terminal.output.contains("\($0) whirl") })
        #expect(terminal.repaints { output in spinners.contains { output.contains("\($0) whirl") } })
        run.close()
    }

    @Test("A hostile name does nothing to the terminal")
    func withstandsHostileName() throws {
        let terminal = TestTerminal()
        let run = try TestRun(terminal, [Samples.hostile])
        try run.open()
        #expect(terminal.wait(for: "evil^[[2J^[]0;PWNED^G.bin"))
        run.close()
        #expect(!terminal.output.contains("\u{7}"))
        #expect(!terminal.output.contains("\u{1B}]"))
    }

    @Test("Another size is drawn at once, from 1 by 1 to larger than any")
    func followsSize() throws {
        let terminal = TestTerminal()
        let run = try TestRun(terminal, ["a.bin", "b.bin"])
        try run.open()
        #expect(terminal.wait(for: "b.bin"))
        terminal.clear()
        terminal.resize(40, 10)
        kill(getpid(), SIGWINCH)
        #expect(terminal.wait { isAt($0, line: 10) })
        for size in 0..<300 {
            terminal.resize(size * 37 % 500 + 1, size * 11 % 200 + 1)
            kill(getpid(), SIGWINCH)
            terminal.read(for: 0)
        }
        terminal.resize(80, 24)
        kill(getpid(), SIGWINCH)
        terminal.clear()
        terminal.press("\u{C}")
        #expect(terminal.wait(for: "0/2 done"))
        run.close()
    }

    @Test("A terminal that does not know its size is 80 by 24")
    func assumesSize() throws {
        let terminal = TestTerminal(columns: 0, rows: 0)
        let run = try TestRun(terminal, ["a.bin"])
        try run.open()
        #expect(terminal.wait { isAt($0, line: 24) })
        run.close()
    }

    @Test("Nothing is written while nothing changes; a record then shows at once")
    func rests() throws {
        let terminal = TestTerminal()
        let run = try TestRun(terminal, ["a.bin"])
        try run.open()
        #expect(terminal.wait(for: "a.bin"))
        // Two repaints: the second shows that all of the first has been written.
        terminal.press("\u{C}")
        #expect(terminal.wait { $0.ranges(of: "details").count >= 2 })
        while terminal.read(for: 300) > 0 {}
        #expect(terminal.read(for: 700) == 0)
        run.tell(.warning("something odd"))
        #expect(terminal.wait(for: "something odd"))
        run.close()
    }

    @Test("What is written to the terminal's standard error meanwhile follows after the screen")
    func holdsStandardError() throws {
        let terminal = TestTerminal()
        let side = terminal.opened()
        defer { close(side) }
        let run = try TestRun(terminal, ["a.bin"], standardError: side)
        try run.open()
        #expect(terminal.wait(for: "a.bin"))
        try LineWriter(side).write(Array("a library warns\n".utf8))
        run.close()
        #expect(terminal.wait(for: "whirl: "))
        let output = terminal.output
        let note = try #require(output.firstRange(of: "a library warns"))
        #expect(note.lowerBound > (try #require(output.firstRange(of: toMain))).lowerBound)
        #expect(note.lowerBound < (try #require(output.firstRange(of: "whirl: 0 done"))).lowerBound)
    }

    @Test("A terminal that takes no bytes is left within a second, and restored")
    func leavesStuckTerminal() throws {
        let terminal = TestTerminal()
        let modes = terminal.modes
        let run = try TestRun(terminal, ["a.bin"])
        try run.open()
        #expect(terminal.wait(for: "a.bin"))
        terminal.holdOutput(true)
        run.begin(run.jobs[0])
        terminal.press("j")
        let clock = ContinuousClock()
        #expect(clock.measure { run.close() } < .seconds(1.5))
        #expect(terminal.modes == modes)
        #expect(terminal.wait(for: toMain))
    }

    @Test("A terminal that nobody reads is left within a second too, and the summary does not wait for it")
    func leavesUnreadTerminal() throws {
        let terminal = TestTerminal()
        let side = terminal.opened()
        defer { close(side) }
        let run = try TestRun(terminal, ["a.bin"], standardError: side)
        try run.open()
        #expect(terminal.wait(for: "a.bin"))
        terminal.fill()
        run.begin(run.jobs[0])
        terminal.press("j")
        let clock = ContinuousClock()
        // A second, and what a busy machine adds to it.
        #expect(clock.measure { run.close() } < .seconds(1.5))
        #expect(terminal.wait(for: "whirl: 0 done"))
    }

    @Test("A terminal that goes away ends the screen, and not the run")
    func survivesHangUp() throws {
        let terminal = TestTerminal()
        let run = try TestRun(terminal, ["a.bin", "b.bin"])
        try run.open()
        run.begin(run.jobs[0])
        #expect(terminal.wait(for: "a.bin"))
        terminal.hangUp()
        run.begin(run.jobs[1])
        run.jobs[1].core.report(received: 5, total: 10)
        run.jobs[1].core.end(.completed(TaskCompletion()))
        #expect(run.close() == nil)
    }

    @Test("There is room for one dashboard in a process")
    func isAlone() throws {
        let terminal = TestTerminal()
        let first = try TestRun(terminal, ["a.bin"])
        let second = try TestRun(terminal, ["b.bin"])
        try first.open()
        #expect(throws: TransferError.self) { try second.open() }
        #expect(Dashboard.obstacle(TestRun.settings(terminal, "xterm"))?.contains("another dashboard") == true)
        first.close()
        try second.open()
        #expect(terminal.wait(for: "b.bin"))
        second.close()
    }

    @Test("NO_COLOR is respected, and colours are used without it", arguments: [true, false])
    func respectsNoColor(_ isPlain: Bool) throws {
        let terminal = TestTerminal()
        var settings = TestRun.settings(terminal, "xterm-256color")
        settings.usesColor = DashboardSettings(environment: isPlain ? ["NO_COLOR": "1"] : [:]).usesColor
        let run = try TestRun(["a.bin", "b.bin"], settings)
        try run.open()
        for job in run.jobs { run.begin(job) }
        // Both rows: the first is the selected one, which has no colour.
        #expect(terminal.wait { $0.ranges(of: "connecting").count > 1 })
        run.close()
        #expect(terminal.output.contains("\u{1B}[36m") != isPlain)
    }

    @Test("The plugin names itself and tells ncurses' version")
    func exportsPlugin() {
        #expect(Dashboard.plugin.name == "ncurses")
        #expect(Dashboard.plugin.versions()["ncurses"]?.first?.isNumber == true)
        #expect(throws: TransferError.self) { try Dashboard.plugin.make(PluginContext(environment: ["TERM": "dumb"])) }
    }
}
#endif
