#if NCurses
import Synchronization
import WhirlBoard
import WhirlCore

@testable import WhirlNCurses

/// Rows of every kind, as a board would give them.
enum Samples {
    static let hostile = "evil\u{1B}[2J\u{1B}]0;PWNED\u{7}.bin"

    static func row(
        _ number: UInt64, _ name: String, _ group: RowGroup, _ change: (inout Row) -> Void = { _ in }
    ) -> Row {
        var row = Row(id: TaskID(number: number), name: clean(name), url: "", host: "files.example.org")
        row.group = group
        change(&row)
        return row
    }

    static func running(_ number: UInt64, _ name: String, _ received: Int64, of total: Int64?, _ speed: Double) -> Row {
        row(number, name, .active) {
            $0.state = .running
            $0.phase = .receiving
            $0.attempt = 1
            $0.isAnimating = true
            $0.progress = TransferProgress(received: received, total: total)
            $0.speed = speed
            if let total, speed > 0 { $0.remaining = Double(total - received) / speed }
        }
    }

    static func waiting(
        _ number: UInt64, _ name: String, _ phase: TaskPhase, attempt: Int = 1, delay: Double? = nil
    ) -> Row {
        row(number, name, .active) {
            $0.state = .running
            $0.phase = phase
            $0.attempt = attempt
            $0.isAnimating = true
            $0.delay = delay
        }
    }

    static func ended(_ number: UInt64, _ name: String, _ received: Int64, _ outcome: TaskOutcome) -> Row {
        let core = TaskCore()
        core.resume()
        core.beginAttempt()
        _ = core.report(received: received, total: received)
        core.end(outcome)
        var group = RowGroup.done
        if case .failed = outcome { group = .failed }
        return row(number, name, group) {
            $0.state = .completed
            $0.attempt = 1
            $0.duration = 77
            $0.progress = core.snapshot.progress
            $0.outcome = outcome
            if case .failed(let error) = outcome { $0.error = error }
        }
    }

    static var paused: Row {
        row(9, "plain.txt", .paused) {
            $0.phase = .paused
            $0.attempt = 1
            $0.progress = TransferProgress(received: 300_000, total: 600_000)
        }
    }

    static var rows: [Row] {
        [
            running(1, "debian-12.5.0-amd64-netinst.iso", 134_637_158, of: 659_554_304, 8_493_465),
            running(2, "日本語のとても長いファイル名のもの.tar.gz", 1_048_576, of: nil, 536_576),
            running(3, "e\u{301}tude-combining.ogg", 4_000_000_000, of: 4_000_000_001, 0),
            waiting(4, "tab\tand\nnewline", .connecting),
            waiting(5, "again.zip", .backoff, attempt: 3, delay: 2.5),
            row(6, "next.bin", .queued), row(7, "👩‍👩‍👧 family ❤️.png", .queued),
            paused,
            ended(10, hostile, 0, .failed(TransferError(.http, "404 Not Found", status: 404))),
            ended(
                11, "big.iso", 9_000, .failed(TransferError(.truncated, "The body ended early, at 9000 of 12000 bytes"))
            ),
            ended(12, "done.txt", 12_345, .completed(TaskCompletion(status: 200))),
            ended(13, "ＦＵＬＬＷＩＤＴＨ.txt", 5, .cancelled(reason: "user")),
            ended(14, "there.txt", 0, .skipped(reason: "exists")),
        ]
    }

    static var totals: Totals {
        var totals = Totals()
        totals.created = 512
        totals.completed = 127
        totals.skipped = 1
        totals.failed = 3
        totals.active = 16
        totals.queued = 364
        totals.paused = 1
        totals.bytes = 4_402_341_478
        totals.speed = 31_142_707
        totals.remaining = 271
        return totals
    }

    static let notes = [
        BoardNote(elapsed: 0, kind: .started, name: "debian-12.5.0-amd64-netinst.iso", text: "starts"),
        BoardNote(elapsed: 2.4, kind: .moved, name: "again.zip", text: "302 to https://mirror.example.org/again.zip"),
        BoardNote(
            elapsed: 3, kind: .trouble, name: "again.zip", text: "the connection was reset; again in 2.5s"),
        BoardNote(elapsed: 61, kind: .paused, name: "plain.txt", text: "paused"),
        BoardNote(elapsed: 75, kind: .failed, name: clean(hostile), text: "404 Not Found"),
        BoardNote(elapsed: 3700, kind: .completed, name: "done.txt", text: "12KiB in 1m17s"),
        BoardNote(elapsed: 3701, kind: .warning, name: "", text: "certificates are not checked"),
    ]

    static func browser(_ selected: UInt64?, _ keys: [Key] = []) -> Browser {
        var browser = Browser()
        browser.settle(rows)
        for key in keys { _ = browser.press(key, Browser.Extent(page: 20, count: 512, lines: 40)) }
        if let selected {
            while browser.selected?.number != selected, browser.cursor < rows.count - 1 {
                _ = browser.press(.down, Browser.Extent(page: 100, count: rows.count))
                browser.settle(rows)
            }
        }
        return browser
    }

    static func model(selected: UInt64? = 2, keys: [Key] = []) -> DashboardModel {
        var model = DashboardModel(
            rows: rows, count: 512, totals: totals, isBusy: true, notes: notes,
            failures: rows.filter { $0.group == .failed }, browser: browser(selected))
        for key in keys { _ = model.browser.press(key, Browser.Extent(page: 20, count: 512, lines: 40)) }
        return model
    }

    /// A task in its third try, seen in full.
    static var details: DashboardModel.Details {
        var row = running(5, "again-and-again.zip", 4_300_000, of: 12_000_000, 750_000)
        row.url = "https://files.example.org/very/long/path/that/does/not/fit/into/one/line/again-and-again.zip"
        row.destination = "out/again-and-again.zip"
        row.attempt = 3
        row.duration = 12.5
        row.error = TransferError(
            .reset, "the connection was reset after 1000 of 12000000 bytes", transport: "curl", native: 56)
        return DashboardModel.Details(row: row, history: .sample)
    }
}

extension TaskHistory {
    /// What a board makes of a redirect, a failure, and another try.
    fileprivate static var sample: TaskHistory {
        let clock = StageClock()
        let board = Board(clock: { clock.now })
        let stage = Stage(board, clock: clock)
        stage.begin()
        let task = stage.start("again-and-again.zip")
        clock.advance(0.25)
        task.core.redirect(status: 302, url: "https://mirror.example.org/again-and-again.zip")
        clock.advance(1)
        task.core.report(received: 1000, total: 12_000_000)
        task.core.retry(after: 2, error: TransferError(.reset, "the connection was reset"))
        clock.advance(2)
        task.core.restart(reason: "changed")
        task.core.beginAttempt()
        task.head.withLock {
            $0 = ResponseHead(
                status: 200, version: .http11,
                fields: [
                    HTTPField("ETag", "\"5f3-9\""), HTTPField("Set-Cookie", "never shown"),
                    HTTPField("Content-Type", "application/\u{1B}zip"),
                ])
        }
        clock.advance(0.5)
        task.core.report(received: 1000, total: 12_000_000)
        clock.advance(3)
        guard let history = board.history(of: task.life.id) else { preconditionFailure("it has begun") }
        return history
    }
}

extension [StyledLine] {
    /// What a person sees, without the blanks at the ends of lines.
    var text: String {
        map { line in
            let text = line.map(\.text).joined()
            return String(text.reversed().drop { $0 == " " }.reversed()) + "\n"
        }.joined()
    }
}
#endif
