import Testing
import WhirlBoard

@Suite struct UnitsTests {
    @Test(
        "Sizes are short",
        arguments: [
            (0, "0B"), (-5, "0B"), (1, "1B"), (1023, "1023B"), (1024, "1.0KiB"), (10_189, "10KiB"), (536_576, "524KiB"),
            (1_048_063, "1023KiB"), (1_048_064, "1.0MiB"), (1_048_576, "1.0MiB"), (659_449_446, "628.9MiB"),
            (1_073_700_000, "1.0GiB"), (4_402_341_478, "4.1GiB"), (.max, "8.0EiB"),
        ] as [(Int64, String)])
    func bytes(_ count: Int64, _ text: String) {
        #expect(Units.bytes(count) == text)
    }

    @Test("A gap goes between number and unit")
    func gap() {
        #expect(Units.bytes(4_402_341_478, gap: " ") == "4.1 GiB")
        #expect(Units.rate(29_150_413, gap: " ") == "27.8 MiB/s")
    }

    @Test(
        "Speeds that are no numbers are no trap",
        arguments: [
            (.nan, "0B/s"), (-.infinity, "0B/s"), (-1, "0B/s"), (1e-300, "0B/s"), (0.4, "0B/s"),
            (.infinity, "8.0EiB/s"), (1e308, "8.0EiB/s"), (8_493_466, "8.1MiB/s"),
        ] as [(Double, String)])
    func rates(_ rate: Double, _ text: String) {
        #expect(Units.rate(rate) == text)
    }

    @Test(
        "Durations are short",
        arguments: [
            (.nan, "0.0s"), (-1, "0.0s"), (0.42, "0.4s"), (9.94, "9.9s"), (9.96, "10s"), (58, "58s"), (59.7, "1m00s"),
            (77, "1m17s"), (151, "2m31s"), (3720, "1h02m"), (273_600, "3d04h"), (1e308, "999d00h"),
            (.infinity, "999d00h"),
        ] as [(Double, String)])
    func durations(_ seconds: Double, _ text: String) {
        #expect(Units.duration(seconds) == text)
    }

    @Test(
        "The time that remains is capped",
        arguments: [
            (nil, "--:--"), (.nan, "--:--"), (.infinity, "--:--"), (-1, "--:--"), (1e300, "--:--"), (0, "00:00"),
            (57.2, "00:58"), (271, "04:31"), (3599.5, "1:00:00"), (3723, "1:02:03"), (356_400, "99:00:00"),
            (356_401, "--:--"),
        ] as [(Double?, String)])
    func remaining(_ seconds: Double?, _ text: String) {
        #expect(Units.remaining(seconds) == text)
    }

    @Test(
        "100 % is shown only when all is done",
        arguments: [
            (nil, "?%"), (.nan, "?%"), (0, "0%"), (0.219, "21%"), (1.0.nextDown, "99%"), (1, "100%"), (4096, "100%"),
        ] as [(Double?, String)])
    func percent(_ fraction: Double?, _ text: String) {
        #expect(Units.percent(fraction) == text)
    }
}

@Suite struct TimestampTests {
    @Test(
        "Moments are dates in UTC",
        arguments: [
            (0, "1970-01-01T00:00:00.000Z"), (-1, "1969-12-31T23:59:59.999Z"),
            (951_782_400_000_000, "2000-02-29T00:00:00.000Z"), (1_796_003_097_012_345, "2026-11-30T01:44:57.012Z"),
            (4_107_542_400_000_000, "2100-03-01T00:00:00.000Z"), (.max, "9999-12-31T23:59:59.999Z"),
            (.min, "0000-01-01T00:00:00.000Z"),
        ] as [(Int64, String)])
    func dates(_ time: Int64, _ text: String) {
        #expect(Timestamp(time).milliseconds == text)
    }

    @Test("Seconds come without a fraction")
    func seconds() { #expect(Timestamp(1_796_003_097_999_999).seconds == "2026-11-30T01:44:57Z") }
}
