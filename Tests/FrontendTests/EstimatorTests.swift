import Testing
import WhirlBoard

@Suite struct EstimatorTests {
    @Test("The speed is that of the last 5 s")
    func window() {
        var window = SpeedWindow(at: 0)
        var now: UInt64 = 0
        #expect(window.rate(at: 0) == 0)
        for _ in 0..<100 {
            now += 100_000_000
            window.add(100, at: now)
        }
        #expect(abs(window.rate(at: now) - 1000) < 30)
        for _ in 0..<50 {
            now += 100_000_000
            window.add(25, at: now)
        }
        #expect(abs(window.rate(at: now) - 250) < 30)
        #expect(window.rate(at: now + 5_000_000_000) == 0)
    }

    @Test("A young window divides by its age; the first burst is not multiplied")
    func young() {
        var window = SpeedWindow(at: 3_123_000_000)
        window.add(1000, at: 3_124_000_000)
        #expect(window.rate(at: 3_124_000_000) == 4000)
        #expect(window.rate(at: 5_123_000_000) == 500)
    }

    @Test("A time before the newest is taken for the newest, and a long silence is no work")
    func strange() {
        var window = SpeedWindow(at: 10_000_000_000)
        window.add(1000, at: 9_000_000_000)
        #expect(window.rate(at: 9_000_000_000) > 0)
        #expect(window.rate(at: .max) == 0)
        window.add(.max, at: .max)
        #expect(window.rate(at: .max).isFinite)
    }
}
