import Testing
import WhirlBoard

@Suite struct TimestampReadingTests {
    @Test(
        "A moment is read as it was written",
        arguments: [0, 1_796_003_097_012_345, 951_782_400_000_000, -1_000_000, 253_402_300_799_999_000])
    func roundTrip(_ time: Int64) {
        #expect(Timestamp.micros(Timestamp(time).milliseconds) == (time >= 0 ? time / 1000 * 1000 : time))
    }

    @Test("Other offsets and fractions are read")
    func others() {
        #expect(Timestamp.micros("2026-11-30T01:44:57+02:00") == Timestamp.micros("2026-11-29T23:44:57Z"))
        #expect(Timestamp.micros("2026-11-30t01:44:57.5z") == 1_796_003_097_500_000)
        #expect(Timestamp.micros("2026-11-30 01:44:57.123456789Z") == 1_796_003_097_123_456)
    }

    @Test(
        "What is no moment is none",
        arguments: [
            "", "2026-11-30", "2026-11-30T01:44:57", "2026-13-30T01:44:57Z", "2026-11-30T25:44:57Z",
            "2026-11-30T01:44:57.Z", "2026-11-30T01:44:57ZZ", "x",
        ])
    func none(_ text: String) {
        #expect(Timestamp.micros(text) == nil)
    }
}
