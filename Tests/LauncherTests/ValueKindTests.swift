import Testing

@testable import WhirlLauncher

@Suite("A value of an option")
struct ValueKindTests {
    @Test(
        "that is a number of bytes may have k, M, G or T, powers of 1024",
        arguments: [
            ("1", 1), ("1048576", 1_048_576), ("500k", 512_000), ("500K", 512_000), ("2M", 2 << 20), ("2m", 2 << 20),
            ("1.5G", 3 << 29), (".5k", 512), ("1t", 1 << 40), ("8191T", 8191 << 40),
        ])
    func bytes(_ text: String, _ count: Int) throws {
        #expect(try ValueKind.size.parse(text) == .integer(count))
        #expect(try ValueKind.byteRate.parse(text) == .integer(count))
        #expect(try ValueKind.byteRate.parse(text + "/s") == .integer(count))
    }

    @Test(
        "that is none is refused",
        arguments: [
            "", "0", "k", "-1", "+1", "1kb", "1 k", "1e3", "0x10", "1.5", "9000000T", "99999999999999999999", "inf",
        ])
    func notBytes(_ text: String) {
        #expect(throws: CommandError("\(quoted(text)) is not a number of bytes, such as 1048576, 500k or 1.5G")) {
            try ValueKind.size.parse(text)
        }
    }

    @Test(
        "that is a start rate may have a fraction and /s",
        arguments: [("5", 5.0), ("5/s", 5), ("0.5/s", 0.5), (".25", 0.25)])
    func startRates(_ text: String, _ rate: Double) throws {
        #expect(try ValueKind.startRate.parse(text) == .number(rate))
    }

    @Test("that is no start rate is refused", arguments: ["0", "-1", "/s", "5/m", "many", "inf", "nan", "1e3", ""])
    func notStartRates(_ text: String) {
        #expect(throws: CommandError.self) { try ValueKind.startRate.parse(text) }
    }

    @Test(
        "that is a checksum has an algorithm in any usual spelling and the right number of digits",
        arguments: ["sha256", "sha-256", "SHA256", "SHA-256"])
    func checksums(_ name: String) throws {
        let digits = String(repeating: "0A", count: 32)
        #expect(try ValueKind.checksum.parse("\(name):\(digits)") == .text("sha256:\(digits.lowercased())"))
    }

    @Test(
        "that is no checksum is refused with what would be right",
        arguments: [
            ("abc", "'abc' has no colon; write it as sha256:HEX"),
            ("crc32:abc", "'crc32' is not a checksum; there is md5, sha1, sha224, sha256, sha384, sha512"),
            ("md5:abc", "'abc' is not a md5; it has 32 hexadecimal digits"),
        ])
    func notChecksums(_ text: String, _ sentence: String) {
        #expect(throws: CommandError("\(sentence)")) { try ValueKind.checksum.parse(text) }
    }

    @Test("that is a path is no URL", arguments: ["http://u:secret@h/x", "HTTPS:/u:secret@h/x", "http:///u:secret@h/"])
    func paths(_ text: String) throws {
        let sentence = try #require(Samples.complaint { () throws(CommandError) in try ValueKind.path.parse(text) })
        #expect(sentence.contains("is a URL") && !sentence.contains("secret"))
    }
}
