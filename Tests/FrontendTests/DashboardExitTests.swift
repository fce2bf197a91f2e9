#if NCurses
// ThreadSanitizer holds signals back until it sees fit, which may be never.
#if !SANITIZE_THREAD
import Glibc
import Testing
import WhirlBoard
import WhirlCore

@testable import WhirlNCurses

/// Ends of a process with a dashboard on the screen.
@Suite(.timeLimit(.minutes(1))) struct DashboardExitTests {
    /// The terminal was left, its modes are as before, and what was written to standard error can be read on it.
    private func expectRestored(_ terminal: TestTerminal, _ modes: [UInt32], _ words: String) throws {
        #expect(terminal.modes == modes)
        let output = terminal.output
        let left = try #require(output.ranges(of: "\u{1B}[?1049l").last)
        #expect(try #require(output.firstRange(of: words)).lowerBound > left.upperBound)
        #expect(
            try #require(output.ranges(of: "\u{1B}[?25h").last).lowerBound
                > #require(output.ranges(of: "\u{1B}[?25l").last).lowerBound)
    }

    @Test("A crash gives the terminal back, with its message readable")
    func survivesCrash() async throws {
        let terminal = TestTerminal()
        let side = terminal.opened()
        defer { close(side) }
        let modes = terminal.modes
        await #expect(processExitsWith: .failure) { [path = terminal.path as String] in
            try TestRun.show(on: path)
            fatalError("all is lost")
        }
        try expectRestored(terminal, modes, "all is lost")
    }

    @Test(
        "A signal that nobody handles gives the terminal back, also one that takes no bytes",
        arguments: [SIGTERM, SIGHUP, SIGINT, SIGQUIT, SIGABRT], [false, true])
    func survivesSignal(_ number: Int32, _ isFull: Bool) async throws {
        let terminal = TestTerminal()
        let side = terminal.opened()
        defer { close(side) }
        let modes = terminal.modes
        let result = await #expect(processExitsWith: .failure) {
            [path = terminal.path as String, number = number as Int32, isFull = isFull as Bool] in
            signal(number, SIG_DFL)
            try TestRun.show(on: path)
            try LineWriter(2).write(Array("last words\n".utf8))
            if isFull { TestTerminal.fill(path) }
            kill(getpid(), number)
            while true { pause() }
        }
        #expect(result?.exitStatus == .signal(number))
        try expectRestored(terminal, modes, "last words")
    }
}

extension TestRun {
    /// Shows a screen on another process's terminal, which becomes standard error too.
    fileprivate static func show(on path: String) throws {
        let side = unsafe Glibc.open(path, O_RDWR | O_NOCTTY)
        dup2(side, 2)
        var settings = DashboardSettings(environment: ["TERM": "xterm-256color"])
        settings.path = path
        settings.delay = 0
        let run = try TestRun(["a.bin"], settings)
        try run.open()
        // The screen is up: it holds standard error from then on.
        withExtendedLifetime(run) {}
    }
}
#endif
#endif
