import Testing
import WhirlCore

@testable import WhirlJSONLines

@Suite("What a stream has said of a task") struct TrackTests {
    @Test("progress is told of an attempt that has begun, and not before")
    func attempt() {
        let core = TaskCore()
        core.resume()
        var track = Track(at: 0)
        track.pass(.resumed, core.snapshot, at: 0)
        let early = track.news(core.snapshot, interval: 0.5, at: 1)
        core.beginAttempt()
        track.pass(.attempt, core.snapshot, at: 2)
        let next = track.news(core.snapshot, interval: 0.5, at: 3)
        #expect(early == .later)
        #expect(next != .later && next != .nothing)
    }
}
