import Testing
import WhirlBoard

@Suite struct ColumnsTests {
    let columns = Columns()

    @Test(
        "Width is counted in columns",
        arguments: [
            ("", 0), ("abc", 3), ("日本語", 6), ("ＡＢ", 4), ("한글", 4), ("\u{1112}\u{1161}\u{11AB}", 2), ("e\u{301}", 1),
            ("é", 1), ("😀", 2), ("…█░✓✗", 5), ("\u{1B}", 0), ("क\u{94D}", 1),
        ])
    func width(_ text: String, _ width: Int) {
        #expect(columns.count(text) == width)
    }

    @Test(
        "A text that is too wide is cut in the middle, at most 12 columns of the end kept",
        arguments: [
            ("short", 5, "short"), ("short", 9, "short"), ("shorts", 5, "sh…ts"),
            ("debian-12.5.0-amd64-netinst.iso", 27, "debian-12.5.0-…-netinst.iso"),
            ("debian-12.5.0-amd64-netinst.iso", 24, "debian-12.5.…netinst.iso"), ("abcdef", 1, "…"), ("abcdef", 0, ""),
            ("abcdef", -3, ""), ("abcdef", 2, "a…"), ("日本語日本語", 6, "日…語"), ("日本語日本語", 7, "日本…語"),
            ("日本語", 3, "日…"), ("日本語", 2, "…"),
        ])
    func fit(_ text: String, _ width: Int, _ expected: String) {
        #expect(columns.fit(text, width) == expected)
    }

    @Test(
        "Padded text is exactly as wide as asked for, whatever is in it, and no character is split", arguments: 0...40)
    func pad(_ width: Int) {
        let names = [
            "", "a", "debian-12.5.0-amd64-netinst.iso", "日本語のとても長いファイル名.tar.gz", "e\u{301}e\u{301}e\u{301}",
            "x日x日x日x日x日x日", "😀😀😀😀😀😀😀", "한글\u{1112}\u{1161}\u{11AB}",
        ]
        for name in names {
            for right in [false, true] {
                let padded = columns.pad(name, to: width, right: right)
                #expect(columns.count(padded) == width)
                #expect(padded.filter { $0 != " " && $0 != "…" }.allSatisfy(name.contains))
            }
            #expect(columns.count(columns.left(name, width)) <= width)
        }
    }

    @Test("The width function and the mark are the caller's")
    func injected() {
        let ascii = Columns(ellipsis: "...") { _ in 3 }
        #expect(ascii.count("é") == 3)
        #expect(Columns(ellipsis: "...").fit("abcdefghij", 7) == "ab...ij")
        #expect(Columns(ellipsis: "...").fit("abcdefghij", 2) == "..")
    }
}
