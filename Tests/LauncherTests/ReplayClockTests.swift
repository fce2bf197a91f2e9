import Synchronization
import Testing
import WhirlCore
import WhirlJSONLines

@testable import WhirlLauncher

@Suite("The clock of a replay") struct ReplayClockTests {
    /// A clock over one that goes when told.
    private final class Scene: Sendable {
        private let real = Atomic<UInt64>(1_000)
        let speed: Double
        init(_ speed: Double) { self.speed = speed }
        func clock() -> ReplayClock { ReplayClock(speed: speed) { self.real.load(ordering: .relaxed) } }
        func pass(_ seconds: Double) { real.add(UInt64(seconds * 1e9), ordering: .relaxed) }
    }

    private func shown(_ clock: ReplayClock) -> Double { Double(clock.now - 1_000) / 1e9 }

    @Test("waits for each record, and never goes past it")
    func paced() {
        let scene = Scene(2)
        let clock = scene.clock()
        #expect(clock.wait(for: 3) == 1.5)
        scene.pass(1)
        #expect(shown(clock) == 2 && clock.wait(for: 3) == 0.5)
        scene.pass(7)
        #expect(shown(clock) == 3 && clock.wait(for: 3) == 0)
        clock.arrive(at: 3)
        #expect(shown(clock) == 3)
        scene.pass(1)
        #expect(shown(clock) == 5)
    }

    @Test("goes by the records alone when nobody waits")
    func hasty() {
        let scene = Scene(0)
        let clock = scene.clock()
        #expect(clock.wait(for: 3) == 0)
        clock.arrive(at: 3)
        scene.pass(10)
        #expect(shown(clock) == 3)
        clock.arrive(at: 4)
        #expect(shown(clock) == 4)
    }

    @Test("goes on between the records of a live stream, and never back")
    func live() {
        let scene = Scene(1)
        let clock = scene.clock()
        clock.arrive(at: 0)
        scene.pass(2)
        #expect(shown(clock) == 2)
        clock.arrive(at: 1.9)
        #expect(shown(clock) == 2)
        clock.arrive(at: 10)
        #expect(shown(clock) == 10)
    }

    @Test("Runs beside each other count once, and those after each other add")
    func spans() {
        func seconds(_ runs: [(begin: Int64?, elapsed: Double)]) -> Double {
            var spans = RunSpans()
            for run in runs {
                let begin = run.begin.map { $0 * 1_000_000 }
                let event = StreamEvent.run(.init(version: "", transport: "", jobs: 1), minor: 0)
                spans.note(.record(StreamRecord(elapsed: 0, time: begin, event: event)))
                spans.note(.record(StreamRecord(elapsed: run.elapsed, event: .warning("x"))))
                spans.note(.torn(line: 1))
            }
            return spans.seconds
        }
        #expect(seconds([]) == 0)
        #expect(seconds([(100, 8.178543)]) == 8.178543)
        #expect(seconds([(100, 10), (105, 10), (102, 3), (200, 5)]) == 20)
        #expect(seconds([(100, 10), (nil, 7)]) == 17)
    }
}
