import Synchronization
import Testing
import WhirlBoard
import WhirlCore

@testable import WhirlPlainLog

/// A policy in front of a board, without a thread: what it prints, and when.
private final class LogScript: Sendable {
    private struct State {
        var interest: LogInterest
        var policy: LogPolicy
        var lines: [LogLine] = []
    }
    let clock = StageClock()
    let board: Board
    private let state: Mutex<State>

    init(isQuiet: Bool = false, isVerbose: Bool = false) {
        let clock = clock
        board = Board(clock: { clock.now })
        state = Mutex(
            State(
                interest: LogInterest(isVerbose: isVerbose), policy: LogPolicy(isQuiet: isQuiet, at: clock.now)))
    }

    var stage: Stage {
        let stage = Stage(
            clock: clock,
            receive: { [self] record in
                board.receive(record)
                var row: Row?
                if case .task(let id, _) = record.event { row = board.row(id) }
                state.withLock { state in
                    switch state.interest.judge(record.event) {
                    case .line: state.lines += state.policy.note(record.event, row, at: clock.now)
                    case .beat(let word): state.policy.noteUnsaid(word, 1)
                    case .nothing: break
                    }
                }
            }, follow: { [board] in board.follow($0) })
        stage.begin()
        return stage
    }

    /// Seconds pass, with a look each second.
    func pass(_ seconds: Int) {
        for _ in 0..<seconds {
            clock.advance(1)
            let totals = board.totals
            let active = board.view(from: 0, count: totals.active).rows
            state.withLock { $0.lines += $0.policy.tick(totals, active: active, at: clock.now) }
        }
    }

    func finish() { state.withLock { $0.lines += $0.policy.finish(at: clock.now) } }

    var lines: [LogLine] { state.withLock { $0.lines } }
    var texts: [String] { lines.map(\.text) }
    func texts(_ event: String) -> [String] { lines.filter { $0.event == event }.map(\.text) }
}

@Suite struct LogPolicyTests {
    @Test("An attempt at another of the task's URLs is told, with that URL")
    func mirrors() {
        let script = LogScript()
        let task = script.stage.start("a.iso")
        task.core.beginAttempt(url: "http://mirror.test/a.iso?token=…")
        #expect(
            script.texts("mirror") == [
                "INFO  mirror #\(task.life.id.number) a.iso url=http://mirror.test/a.iso?token=…"
            ])
    }

    @Test("A line has fixed fields: level, event, task, name, facts")
    func format() {
        let script = LogScript()
        let stage = script.stage
        let task = stage.start("debian-12.5.iso")
        task.core.report(received: 1, total: 659_449_446)
        script.clock.advance(77)
        task.core.report(received: 659_449_446, total: 659_449_446)
        task.complete()
        let id = task.life.id.number
        #expect(
            script.texts == [
                "INFO  start  #\(id) debian-12.5.iso url=https://example.org/a.iso",
                "INFO  done   #\(id) debian-12.5.iso 628.9MiB 8.2MiB/s 1m17s",
            ])
    }

    @Test("A failure is told with its task, its URL and its cause; hostile text is clean")
    func failure() {
        let script = LogScript(isQuiet: true)
        let task = script.stage.start("my \"file\".iso\u{1B}[2J", url: "https://h/x?token=…\u{202E}")
        task.core.retry(after: 1, error: TransferError(.reset, "reset"))
        task.core.beginAttempt()
        task.fail(TransferError(.http, "404 Not\rFound", status: 404))
        let id = task.life.id.number
        #expect(
            script.texts == [
                "ERROR failed #\(id) \"my \\\"file\\\".iso^[[2J\" cause=\"404 Not^MFound\" tries=2 url=https://h/x?token=…\\u{202E}"
            ])
    }

    @Test("Quiet says nothing at all on success")
    func quiet() {
        let script = LogScript(isQuiet: true)
        let stage = script.stage
        let tasks = (0..<3).map { stage.start("t\($0)") }
        stage.send(.warning("something"))
        script.pass(300)
        tasks[0].core.retry(after: 1, error: TransferError(.reset, "reset"))
        tasks[0].complete()
        tasks[1].core.end(.skipped(reason: "exists"))
        tasks[2].core.end(.cancelled(reason: "user"))
        script.finish()
        #expect(script.texts == [])
    }

    @Test(
        "Beginnings are told of small runs or when verbose",
        arguments: [(20, false, 20), (21, false, 0), (21, true, 21)])
    func starts(_ count: Int, _ isVerbose: Bool, _ expected: Int) {
        let script = LogScript(isVerbose: isVerbose)
        let stage = script.stage
        for task in (0..<count).map({ stage.add("t\($0)") }) { stage.start(task) }
        #expect(script.texts("start").count == expected)
    }

    @Test("Successes of a large run are folded into the beat")
    func folded() {
        let script = LogScript()
        let stage = script.stage
        let tasks = (0..<300).map { stage.add("t\($0)") }
        for task in tasks.prefix(38) { stage.start(task) }
        for task in tasks.prefix(37) { task.complete() }
        #expect(script.texts == [])
        script.pass(10)
        #expect(
            script.texts == ["INFO  beat   37/300 done=+37 active=1 bytes=0B speed=0B/s eta=--:--"])
    }

    @Test("A silent run gives a sign of life after 10, 20, 40 and then every 60 s; other lines do not bring it closer")
    func beats() {
        let script = LogScript()
        let stage = script.stage
        let waits = stage.add("waits")
        defer { withExtendedLifetime(waits) {} }
        var at: [Int] = []
        for second in 1...310 {
            script.pass(1)
            if script.texts.count > at.count { at.append(second) }
        }
        #expect(at == [10, 30, 70, 130, 190, 250, 310])
        stage.send(.warning("x"))
        script.pass(59)
        #expect(script.texts("beat").count == 7)
        script.pass(1)
        #expect(script.texts("beat").count == 8)
    }

    @Test("A slow task is told of every 10 percent, at most every 10 s, and else every minute; a quick one never")
    func slow() {
        let script = LogScript()
        let task = script.stage.start("slow")
        task.core.report(received: 0, total: 1000)
        script.pass(29)
        #expect(script.texts("beat").filter { $0.contains("slow") }.isEmpty)
        task.core.report(received: 100, total: 1000)
        script.pass(1)
        func told() -> [String] { script.texts("beat").filter { $0.contains("slow") } }
        #expect(told().count == 1)
        #expect(told().first?.contains("10% 100B/1000B") == true)
        task.core.report(received: 900, total: 1000)
        script.pass(9)
        #expect(told().count == 1)
        script.pass(1)
        #expect(told().count == 2)
        script.pass(59)
        #expect(told().count == 2)
        script.pass(1)
        #expect(told().count == 3)
    }

    @Test("Failures of one host and cause within 2 s are told together, the first three by name")
    func coalesced() {
        let script = LogScript()
        let stage = script.stage
        let tasks = (0..<40).map { stage.start("t\($0)") }
        let other = stage.start("other", url: "https://elsewhere/")
        let first = script.lines.count
        for task in tasks { task.fail() }
        other.fail()
        #expect(script.lines.count - first == 4)
        script.pass(2)
        #expect(script.texts("failed").last == "ERROR failed 37 more host=example.org cause=\"404 Not Found\"")
        let late = stage.start("late")
        late.fail()
        #expect(script.texts("failed").last?.contains("late") == true)
    }

    @Test("Lines over the budget are counted, and the next line says how many")
    func heldBack() {
        let script = LogScript(isVerbose: true)
        let stage = script.stage
        for _ in 0..<100 { stage.start().complete() }
        #expect(script.texts.count == 40)
        script.pass(1)
        stage.start().complete()
        #expect(script.texts.count == 42)
        #expect(script.texts[40].hasSuffix(" (160 lines held back)"))
        for _ in 0..<100 { stage.start().complete() }
        script.finish()
        #expect(script.texts.last?.hasSuffix("lines held back)") == true)
    }

    @Test(
        "Whatever happens, N tasks in D seconds make at most 50 + 5 D + failures lines",
        arguments: [(1000, 60, false), (1000, 60, true), (50, 5, true), (3000, 10, false), (200, 300, true)])
    func budget(_ count: Int, _ duration: Int, _ isVerbose: Bool) {
        let script = LogScript(isVerbose: isVerbose)
        let stage = script.stage
        let tasks = (0..<count).map { stage.add("t\($0)", url: "https://h\($0 % 50)/") }
        for second in 0..<duration {
            for task in tasks[(second * count / duration)..<((second + 1) * count / duration)] {
                stage.start(task)
                task.core.retry(after: 1, error: TransferError(.reset, "reset"))
                task.core.beginAttempt()
                task.core.report(received: 1000, total: 1000)
                let number = task.life.id.number
                if number % 10 == 0 { task.fail() } else if number % 10 != 1 { task.complete() }
            }
            script.pass(1)
        }
        script.finish()
        let summary = 1
        #expect(script.lines.count + summary <= 50 + 5 * duration + board(script).failed)
        #expect(script.lines.count > 0)
    }

    @Test(
        "Quick tasks without retries make at most min(N, 200) + D / 10 + failures + 20 lines",
        arguments: [10, 150, 1000])
    func smallBudget(_ count: Int) {
        let script = LogScript()
        let stage = script.stage
        let tasks = (0..<count).map { stage.add("t\($0)") }
        for task in tasks {
            stage.start(task)
            if task.life.id.number % 10 == 0 { task.fail() } else { task.complete() }
            script.pass(1)
        }
        script.finish()
        #expect(script.lines.count <= min(count, 200) + count / 10 + board(script).failed + 20)
    }

    private func board(_ script: LogScript) -> Totals { script.board.totals }

    @Test("A line never exceeds 4096 bytes, ends in one line feed, and is valid UTF-8")
    func length() {
        for count in [0, 10, 4000, 4070, 4080, 4090, 5000] {
            let line = LogLine(event: "warn", facts: [String(repeating: "é", count: count / 2)])
            let bytes = line.bytes(time: "2026-11-30T01:44:57Z", colored: true)
            #expect(bytes.count <= 4096)
            #expect(bytes.last == 10)
            #expect(bytes.count { $0 == 10 } == 1)
            #expect(String(validating: bytes, as: UTF8.self) != nil)
        }
        let long = LogLine(event: "done", name: String(repeating: "x", count: 9000)).bytes(
            time: "2026-11-30T01:44:57Z", colored: false)
        #expect(long.count <= 4096)
    }

    @Test("Colour is the only escape, and marks the level alone")
    func color() {
        let line = LogLine(level: .error, event: "failed", name: "x")
        #expect(line.text(colored: true) == "\u{1B}[1;31mERROR\u{1B}[m failed x")
        #expect(!line.text.contains("\u{1B}"))
    }
}
