import Testing
import WhirlBoard

@Suite struct CleanTests {
    @Test(
        "Text from outside cannot act on a terminal",
        arguments: [
            ("plain name.iso", "plain name.iso"),
            ("", ""),
            ("evil\u{1B}[2J\u{1B}]0;PWNED\u{07}.bin", "evil^[[2J^[]0;PWNED^G.bin"),
            ("\u{0}\u{9}\n\r\u{1F}", "^@^I^J^M^_"),
            ("a\u{7F}b", "a^?b"),
            ("\u{9B}31m", "\\u{9B}31m"),
            ("\u{80}\u{85}", "\\u{80}\\u{85}"),
            ("photo\u{202E}gpj.exe", "photo\\u{202E}gpj.exe"),
            ("\u{2066}a\u{2069}\u{200E}\u{61C}", "\\u{2066}a\\u{2069}\\u{200E}\\u{61C}"),
            ("\u{FEFF}a\u{AD}\u{200B}", "\\u{FEFF}a\\u{AD}\\u{200B}"),
            ("\u{2028}\u{2029}", "\\u{2028}\\u{2029}"),
            ("\u{E000}\u{10FFFD}", "\\u{E000}\\u{10FFFD}"),
            ("\u{378}\u{FFFF}", "\\u{378}\\u{FFFF}"),
            ("\u{E0041}", "\\u{E0041}"),
            ("\u{3164}\u{115F}", "\\u{3164}\\u{115F}"),
            ("日本語 é e\u{301} ☃", "日本語 é e\u{301} ☃"),
        ])
    func escapes(_ text: String, _ cleaned: String) {
        #expect(Array(clean(text).unicodeScalars) == Array(cleaned.unicodeScalars))
    }

    @Test("Joiners, variation selectors and skin tones are dropped, and marks beyond the fourth on one character")
    func drops() {
        #expect(clean("👍\u{1F3FD}.png") == "👍.png")
        let piled = clean("a" + String(repeating: "\u{301}", count: 300) + "b\u{301}")
        #expect(Array(piled.unicodeScalars) == Array("a\u{301}\u{301}\u{301}\u{301}b\u{301}".unicodeScalars))
        #expect(clean("👩\u{200D}💻") == "👩💻")
        #expect(Array(clean("☃\u{FE0F}\u{E0100}").unicodeScalars) == ["☃"])
    }

    @Test("Bytes that are no UTF-8 become replacement characters")
    func repairs() {
        #expect(clean(bytes: [0x61, 0xFF, 0x9B, 0x62]) == "a\u{FFFD}\u{FFFD}b")
        #expect(clean(bytes: [0xC2, 0x9B]) == "\\u{9B}")
    }

    @Test("No scalar at all comes through that a terminal would act on")
    func exhaustive() {
        for value in UInt32(0)...0x10FFFF {
            guard let scalar = Unicode.Scalar(value) else { continue }
            for kept in clean(String(scalar)).unicodeScalars where kept == scalar {
                switch scalar.properties.generalCategory {
                case .control, .format, .privateUse, .unassigned: Issue.record("U+\(String(value, radix: 16))")
                default: break
                }
            }
        }
    }
}
