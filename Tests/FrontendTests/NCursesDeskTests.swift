#if NCurses
import Synchronization
import Testing
import WhirlBoard
import WhirlCore

@testable import WhirlNCurses

/// What the desk sends for a board with tasks of every kind.
@Suite struct NCursesDeskTests {
    private let stage: Stage
    private let board: Board

    init() {
        let clock = StageClock()
        board = Board(clock: { clock.now })
        stage = Stage(board, clock: clock)
        stage.begin()
    }

    private func send(_ wish: Wish, _ selected: TaskID? = nil) -> (commands: [RunCommand], answer: String?) {
        let sink = CommandSink()
        var desk = CommandDesk(board) { sink.take($0) }
        desk.take(wish, selected, board.view(from: 0, count: 9), at: 0)
        return (sink.commands, desk.answer(at: 0)?.text)
    }

    @Test("P pauses all, those that wait first; when nothing runs or waits it resumes all")
    func pausesAll() {
        let running = stage.start("running")
        let waiting = stage.add("waiting")
        let over = stage.start("over")
        over.complete()
        #expect(send(.toggleAll).commands == [.suspend(waiting.life.id), .suspend(running.life.id)])
        #expect(send(.toggleAll).answer == "pausing 2")
        waiting.resume()
        for task in [running, waiting] { task.suspend() }
        #expect(send(.toggleAll).commands == [.resumeAll])
        #expect(send(.toggleAll).answer == "resuming 2")
    }

    @Test("r retries the selected task if it failed, else all that failed; R retries all")
    func retries() {
        let (one, two, three) = (stage.start("one"), stage.start("two"), stage.start("three"))
        #expect(send(.retry, three.life.id).commands == [] && send(.retry).answer == "nothing has failed")
        one.fail()
        two.fail()
        #expect(send(.retry, two.life.id).commands == [.retry(two.life.id)])
        #expect(send(.retry, three.life.id).commands == [.retry(one.life.id), .retry(two.life.id)])
        #expect(send(.retryAll, two.life.id).commands == [.retry(one.life.id), .retry(two.life.id)])
        #expect(send(.retryAll).answer == "retrying 2")
        #expect(send(.cancel, one.life.id).answer == "it has ended" && send(.cancel).answer == nil)
    }

    @Test("+ and - count from what the run was made with, and from what was asked for last; never below 1")
    func setsJobs() {
        let sink = CommandSink()
        var desk = CommandDesk(board) { sink.take($0) }
        let view = board.view(from: 0, count: 9)
        for difference in [1, 1, -1] { desk.take(.jobs(difference), nil, view, at: 0) }
        #expect(sink.commands == [.setJobs(9), .setJobs(10), .setJobs(9)])
        for _ in 0..<20 { desk.take(.jobs(-1), nil, view, at: 0) }
        #expect(sink.commands.last == .setJobs(1))
        #expect(desk.answer(at: 0)?.text == "1 transfer at once")
    }

    @Test("Q drains, and quitting says that the user asked")
    func leaves() {
        #expect(send(.drain).commands == [.drain])
        #expect(send(.quit).commands == [.quit(reason: "user")])
    }

    @Test("An answer stands for four seconds or until the next key, a warning of the run for eight, once")
    func answers() {
        var desk = CommandDesk(board) { _ in }
        desk.take(.retryAll, nil, board.view(from: 0, count: 0), at: 1000)
        #expect(desk.answer(at: 4999) != nil && desk.answer(at: 5000) == nil && desk.due == 5000)
        desk.forgetAnswer()
        #expect(desk.answer(at: 1000) == nil && desk.due == nil)
        desk.warn("odd", at: 2000)
        desk.warn("odd", at: 9000)
        #expect(desk.answer(at: 9999) == DashboardModel.Message(text: "odd", isWarning: true))
        desk.warn("odd", at: 10_000)
        #expect(desk.answer(at: 10_000) == nil && desk.due == nil)
    }
}

/// Keeps the commands that a desk sends.
final class CommandSink: Sendable {
    private let all = Mutex<[RunCommand]>([])
    var commands: [RunCommand] { all.withLock { $0 } }
    func take(_ command: RunCommand) { all.withLock { $0.append(command) } }
}
#endif
