import Synchronization
import Testing
import WhirlBoard
import WhirlCore

/// What a board answers beyond rows in their order.
@Suite struct BoardQueryTests {
    let clock: StageClock
    let board: Board
    let stage: Stage

    init() {
        let clock = StageClock()
        self.clock = clock
        board = Board(clock: { clock.now })
        stage = Stage(board, clock: clock)
        stage.begin()
    }

    private func names(_ change: (inout RowQuery) -> Void) -> [String] {
        var query = RowQuery()
        change(&query)
        return board.view(query, from: 0, count: .max).rows.map(\.name)
    }

    @Test("Text finds rows by name and URL, without regard to case, and a view counts what was found")
    func finds() {
        let tasks =
            ["Alpha.iso", "beta.iso", "gamma.txt"].map { stage.add($0, url: "https://h/\($0)?x=ISO-9") }
            + [stage.add("delta", url: "https://h/日本")]
        #expect(names { $0.text = "alpha" } == ["Alpha.iso"])
        #expect(names { $0.text = "ISO-9" }.count == 3)
        #expect(names { $0.text = "日" } == ["delta"])
        #expect(names { $0.text = "nowhere" } == [])
        var query = RowQuery()
        query.text = "a.iso"
        let view = board.view(query, from: 1, count: 5)
        #expect(view.count == 2 && view.rows.map(\.name) == ["beta.iso"])
        withExtendedLifetime(tasks) {}
    }

    @Test("Errors only: what failed, and what runs again after a failure")
    func findsErrors() {
        let (good, bad, again) = (stage.start("good"), stage.start("bad"), stage.start("again"))
        bad.fail()
        again.core.retry(after: 1, error: TransferError(.reset, "x"))
        good.complete()
        #expect(names { $0.isOnlyErrors = true } == ["again", "bad"])
        again.core.beginAttempt()
        again.complete()
        clock.advance(1)
        #expect(names { $0.isOnlyErrors = true } == ["bad"])
    }

    @Test("Rows are sorted by name, by speed and by size, equal ones in the order of their groups")
    func sorts() {
        let (slow, fast, idle) = (stage.start("c"), stage.start("b"), stage.add("a"))
        clock.advance(1)
        slow.core.report(received: 10, total: 9000)
        fast.core.report(received: 5000, total: nil)
        #expect(names { $0.order = .name } == ["a", "b", "c"])
        #expect(names { $0.order = .speed } == ["b", "c", "a"])
        #expect(names { $0.order = .size } == ["c", "b", "a"])
        withExtendedLifetime(idle) {}
    }

    @Test("What was sorted stays for a second, so that it can be read")
    func holdsStill() {
        let (one, two) = (stage.start("one"), stage.start("two"))
        clock.advance(1)
        one.core.report(received: 100, total: nil)
        #expect(names { $0.order = .size } == ["one", "two"])
        two.core.report(received: 200, total: nil)
        clock.advance(0.5)
        #expect(names { $0.order = .size } == ["one", "two"])
        clock.advance(0.5)
        #expect(names { $0.order = .size } == ["two", "one"])
    }

    @Test("Notes tell what happened in order, and the newest are kept")
    func notes() {
        let task = stage.start("a.iso")
        clock.advance(2)
        task.core.redirect(status: 302, url: "https://m/\u{1B}a")
        task.core.report(received: 2048, total: 2048)
        task.core.retry(after: 1, error: TransferError(.reset, "gone"))
        task.suspend()
        task.resume()
        task.core.restart(reason: "changed")
        task.complete()
        stage.send(.warning("odd"))
        let notes = board.view(from: 0, count: 0, notes: 99).notes
        #expect(
            notes.map(\.text) == [
                "starts", "302 to https://m/^[a", "gone; again in 1.0s", "paused", "goes on", "starts over: changed",
                "0B in 2.0s", "odd",
            ])
        #expect(notes.map(\.elapsed) == [0, 2, 2, 2, 2, 2, 2, 2])
        #expect(notes.map(\.name) == Array(repeating: "a.iso", count: 7) + [""])
        for number in 0..<1000 { stage.send(.warning("w\(number)")) }
        #expect(board.view(from: 0, count: 0, notes: 3).notes.map(\.text) == ["w997", "w998", "w999"])
        #expect(board.view(from: 0, count: 0, notes: .max).notes.count <= 400)
    }

    @Test("A history has the tries with their ends, where each began, and the phases of the newest")
    func history() throws {
        let task = stage.add("a.iso")
        #expect(board.history(of: task.life.id) == nil)
        stage.start(task, offset: 100)
        clock.advance(0.5)
        task.core.enter(.waiting)
        clock.advance(1)
        task.core.report(received: 200, total: 1000)
        clock.advance(2)
        task.core.retry(after: 1, error: TransferError(.reset, "gone"))
        clock.advance(1)
        task.core.beginAttempt(offset: 200)
        task.core.enter(.waiting)
        clock.advance(0.25)
        var history = try #require(board.history(of: task.life.id))
        #expect(history.attempts.map(\.number) == [1, 2])
        #expect(history.attempts.map(\.offset) == [100, 200])
        #expect(history.attempts.map(\.began) == [0, 4.5])
        #expect(history.attempts.map(\.duration) == [3.5, nil])
        #expect(history.attempts[0].error?.code == .reset)
        #expect(history.phases.map(\.phase) == [.waiting] && history.phases[0].duration == 0.25)
        task.complete()
        clock.advance(9)
        history = try #require(board.history(of: task.life.id))
        #expect(history.attempts[1].duration == 0.25)
        #expect(history.phases.map(\.phase) == [.waiting] && history.phases[0].duration == 0.25)
    }

    @Test("A history has the answer's fields that matter, cleaned, while the task runs and after its end")
    func answer() throws {
        let task = stage.start("a.iso")
        task.head.withLock {
            $0 = ResponseHead(
                status: 206, version: .http11,
                fields: [
                    HTTPField("Set-Cookie", "secret"), HTTPField("ETag", "\"\u{9B}1\""), HTTPField("Server", "nginx"),
                ])
        }
        let expected = ["HTTP/1.1 206", "etag: \"\\u{9B}1\"", "server: nginx"]
        #expect(try #require(board.history(of: task.life.id)).answer == expected)
        task.complete()
        task.head.withLock { $0 = nil }
        #expect(try #require(board.history(of: task.life.id)).answer == expected)
    }

    @Test("What failed and is begun once more as a new task counts no longer as failed")
    func retried() {
        let (bad, other) = (stage.start("bad"), stage.start("other"))
        bad.core.report(received: 10, total: 100)
        bad.fail()
        other.fail()
        let again = TaskID(number: UInt64.max - 7)
        stage.send(
            .created(
                again,
                TaskDescription(
                    url: "https://example.org/a.iso", destination: "out/bad", key: "k\(bad.life.id.number)")))
        let totals = board.totals
        #expect(totals.created == 2 && totals.failed == 1 && totals.queued == 1)
        #expect(totals.received == 0 && totals.unsized == 1)
        #expect(board.failures.map(\.name) == ["other"])
        #expect(board.row(bad.life.id) == nil && board.row(again)?.group == .queued)
    }

    @Test("What can be gone on with: failed or cancelled with bytes in hand, and not to a stream")
    func partials() {
        let (whole, empty, broken, stopped) = (
            stage.start("whole"), stage.start("empty"), stage.start("broken"), stage.start("stopped")
        )
        for task in [whole, broken, stopped] { task.core.report(received: 10, total: 100) }
        whole.complete()
        empty.fail()
        broken.fail()
        stopped.core.end(.cancelled(reason: "user"))
        #expect(board.partials.map(\.name) == ["broken", "stopped"])
        #expect(board.summary().contains("out/broken.part"))
        let wrong = stage.start("wrong")
        wrong.core.report(received: 10, total: 100)
        wrong.fail(TransferError(.digestMismatch, "other bytes"))
        #expect(board.partials.count == 2)
    }

    @Test("Ten thousand rows that are sorted and filtered cost a look a few milliseconds at most")
    func cheap() {
        let tasks = (0..<10_000).map { stage.add("file-\($0 * 7919 % 10_000).bin") }
        var query = RowQuery()
        query.order = .name
        query.text = "FILE"
        let started = threadSeconds()
        for _ in 0..<100 {
            clock.advance(0.25)
            _ = board.view(query, from: 0, count: 50)
        }
        // 25 of the looks sort anew: a debug build takes some 50 ms for each.
        #expect(threadSeconds() - started < 10)
        withExtendedLifetime(tasks) {}
    }
}
