import Synchronization
import Testing
import WhirlCore
import WhirlInMemory
import WhirlLoopback

@testable import WhirlSession

@Suite("Rates", .timeLimit(.minutes(1))) struct RateTests {
    private static let second: UInt64 = 1_000_000_000

    @Test("a bucket lets its rate pass, and no more than a tenth of a second's worth saved up")
    func bucket() {
        var bucket = TokenBucket(rate: 1000, now: 0)
        #expect(bucket.reserve(500, at: 0) == 0, "the first is free, and a debt")
        #expect(bucket.reserve(500, at: 0) == Self.second / 2)
        #expect(bucket.reserve(1, at: 0) == Self.second)
        #expect(bucket.reserve(100, at: 10 * Self.second) == 10 * Self.second)
        #expect(bucket.reserve(1, at: 10 * Self.second) == 10 * Self.second)
        #expect(bucket.reserve(1, at: 10 * Self.second) > 10 * Self.second)
    }

    @Test("bytes that wait are reserved once, and pass when it is their time")
    func throttle() {
        var throttle = Throttle(run: nil, task: TokenBucket(rate: 1000, now: 0))
        #expect(throttle.judge(1000, at: 0) == .pass)
        #expect(throttle.judge(500, at: 0) == .wait(until: Self.second))
        #expect(throttle.judge(500, at: Self.second / 2) == .waitOn)
        #expect(!throttle.mayGoOn(at: Self.second / 2) && throttle.mayGoOn(at: Self.second))
        #expect(throttle.judge(500, at: Self.second) == .pass)
        #expect(throttle.judge(10, at: Self.second) == .wait(until: Self.second * 3 / 2))
    }

    /// Seconds that a scene of tasks takes under limits.
    private func seconds(
        tasks: Int, _ configure: @escaping (inout SessionConfiguration) -> Void
    ) throws -> Double {
        let piece = [UInt8](repeating: 1, count: 1000)
        let scene = try Scene(configure: configure) { _, _ in
            [.whole(10_000)] + Array(repeating: .body(piece), count: 10)
        }
        let all = try (0..<tasks).map { try scene.add("/\($0)") }
        scene.transport.run()
        var seconds = 0.0
        while all.contains(where: { $0.life.snapshot.outcome == nil }), seconds < 1000 {
            scene.clock.advance(by: 0.01)
            scene.transport.run()
            seconds += 0.01
        }
        #expect(all.allSatisfy { $0.life.snapshot.outcome?.isCompleted == true })
        return seconds
    }

    @Test("the limit of the run holds over all its tasks", arguments: [1, 8, 20])
    func run(_ tasks: Int) throws {
        let seconds = try seconds(tasks: tasks) { $0.limitRate = 5000 }
        #expect(abs(seconds - Double(tasks) * 2) <= 0.3)
    }

    @Test("the limit of a task holds for each alone")
    func task() throws {
        let seconds = try seconds(tasks: 4) { $0.limitRatePerTask = 2000 }
        #expect(abs(seconds - 4.5) <= 0.6)
    }

    @Test("who waits for leave to go on is not taken for stalled, and can be paused")
    func pauses() throws {
        let scene = try Scene(
            configure: {
                $0.limitRate = 10
                $0.idleTimeout = 1
            },
            { _, _ in [.whole(200), .body([UInt8](repeating: 1, count: 100)), .body([UInt8](repeating: 2, count: 100))]
            })
        let task = try scene.add()
        scene.transport.run()
        scene.pass(5)
        #expect(task.life.snapshot.state == .running && task.life.snapshot.progress.received == 100)
        task.suspend()
        scene.pass(30)
        #expect(task.life.snapshot.progress.received == 100)
        task.resume()
        scene.pass(1)
        #expect(task.life.snapshot.outcome?.isCompleted == true || task.life.snapshot.state == .running)
        scene.pass(60)
        #expect(task.life.snapshot.outcome?.isCompleted == true)
    }

    @Test("a limit over a transport that can't hold back is refused")
    func refused() throws {
        #expect(throws: TransferError.self) {
            try Scene(capabilities: [], configure: { $0.limitRate = 1 }) { _, _ in [] }
        }
    }

    @Test("starts are spaced evenly, of tiny files and redirects too")
    func starts() async throws {
        let starts = Starts()
        let scene = try Scene(
            configure: {
                $0.startRate = 20
                $0.jobs = 10
            },
            { request, number in
                starts.note()
                return number % 2 == 0 ? .redirect("\(request.url)x") : .file([1])
            })
        starts.clock = scene.clock
        for number in 0..<20 { try scene.add("/\(number)") }
        for _ in 0..<300 {
            scene.clock.advance(by: 0.01)
            scene.transport.run()
        }
        let instants = starts.instants
        #expect(instants.count == 40)
        for (one, next) in zip(instants, instants.dropFirst()) { #expect(next - one >= 50_000_000) }
        #expect(await scene.session.finish().summary.completed == 20)
    }
}

/// When exchanges were started, by a clock that comes later than the script that notes it.
private final class Starts: Sendable {
    private let state = Mutex((clock: ManualClock?.none, instants: [UInt64]()))

    var clock: ManualClock? {
        get { state.withLock { $0.clock } }
        set { state.withLock { $0.clock = newValue } }
    }
    var instants: [UInt64] { state.withLock { $0.instants } }

    func note() { state.withLock { $0.instants.append($0.clock?.now ?? 0) } }
}
