import Glibc
import Synchronization
import WhirlBoard
import WhirlCore

/// Seconds of work that this thread has done: a busy machine does not count.
func threadSeconds() -> Double {
    var time = timespec()
    unsafe clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}

/// A clock that goes only when told.
final class StageClock: Sendable {
    private let nanoseconds = Atomic<UInt64>(1_000_000_000_000)

    var now: UInt64 { nanoseconds.load(ordering: .relaxed) }

    func advance(_ seconds: Double) {
        nanoseconds.add(UInt64(seconds * 1e9), ordering: .relaxed)
    }
}

/// A task that does what the test says.
final class StageTask: TransferTask {
    let core = TaskCore()
    let head = Mutex<ResponseHead?>(nil)
    var life: TaskLife { core.life }
    var answer: ResponseHead? { head.withLock { $0 } }
    func resume() { core.resume() }
    func suspend() { core.suspend() }
    func cancel() { core.cancel() }
}

/// A session without a transport: makes tasks, and records of what the test does with them.
final class Stage: Sendable {
    /// 2026-11-30T01:44:57Z in microseconds.
    static let morning: Int64 = 1_796_003_097_000_000
    let clock: StageClock
    private let receive: @Sendable (RunRecord) -> Void
    private let follow: @Sendable (any TransferTask) -> Void
    private let began: UInt64
    private let observations = Mutex<[Observation]>([])

    init(
        clock: StageClock = StageClock(), receive: @escaping @Sendable (RunRecord) -> Void,
        follow: @escaping @Sendable (any TransferTask) -> Void
    ) {
        self.clock = clock
        self.receive = receive
        self.follow = follow
        began = clock.now
    }

    convenience init(_ frontend: any Frontend, clock: StageClock = StageClock()) {
        self.init(clock: clock, receive: { frontend.receive($0) }, follow: { frontend.follow($0) })
    }

    convenience init(_ board: Board, clock: StageClock) {
        self.init(clock: clock, receive: { board.receive($0) }, follow: { board.follow($0) })
    }

    func send(_ event: RunEvent) {
        let elapsed = Double(clock.now - began) / 1e9
        receive(RunRecord(elapsed: elapsed, time: Self.morning + Int64(elapsed * 1e6), event: event))
    }

    func begin() { send(.run(RunDescription(version: "0.1.0", transport: "memory", jobs: 8))) }

    func end(_ summary: RunSummary = RunSummary()) { send(.end(summary)) }

    /// A task that was created and waits.
    func add(_ name: String = "a.iso", url: String = "https://example.org/a.iso") -> StageTask {
        let task = StageTask()
        let id = task.life.id
        send(.created(id, TaskDescription(url: url, destination: "out/" + name, key: "k\(id.number)")))
        let observation = task.life.observe { [self] update in
            if update.event != nil { send(.task(id, update)) }
        }
        observations.withLock { $0.append(observation) }
        return task
    }

    /// A task that has a slot and is in its first attempt.
    func start(_ name: String = "a.iso", url: String = "https://example.org/a.iso", offset: Int64 = 0) -> StageTask {
        let task = add(name, url: url)
        start(task, offset: offset)
        return task
    }

    func start(_ task: StageTask, offset: Int64 = 0) {
        follow(task)
        task.resume()
        task.core.beginAttempt(offset: offset)
    }
}

extension StageTask {
    func complete() { core.end(.completed(TaskCompletion(status: 200))) }
    func fail(_ error: TransferError = TransferError(.http, "404 Not Found", status: 404)) { core.end(.failed(error)) }
}
