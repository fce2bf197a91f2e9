import Testing

@testable import WhirlLauncher

@Suite("JSON that is read")
struct JSONValueTests {
    private func read(_ text: String) throws(CommandError) -> JSONValue { try JSONValue(Array(text.utf8)[...]) }

    @Test("is what RFC 8259 says")
    func values() throws {
        let text = #" {"a":[1,-0.5e+3,true,false,null],"b":{},"c":[],"\u0064":"x\"\\\/\b\f\n\r\t\u00e4\ud83d\ude00ö"} "#
        let expected = JSONValue.object([
            .init(name: "a", value: .array([.number("1"), .number("-0.5e+3"), .bool(true), .bool(false), .null])),
            .init(name: "b", value: .object([])), .init(name: "c", value: .array([])),
            .init(name: "d", value: .string("x\"\\/\u{8}\u{C}\n\r\tä😀ö")),
        ])
        #expect(try read(text) == expected)
        // A slice does not begin at 0.
        #expect(try JSONValue(Array(("xx" + text).utf8)[2...]) == expected)
    }

    @Test(
        "is refused with the column where it is anything else",
        arguments: [
            ("", "1: it ends where a value should be"), ("{", "2: a name in quotes should be there"),
            ("{\"a\" 1}", "6: a ':' should be there"), ("{\"a\":1", "7: a ',' or '}' should be there"),
            ("{\"a\":1,}", "8: a name in quotes should be there"), ("[1,]", "4: a value should be there"),
            ("[1 2]", "4: a ',' or ']' should be there"), ("01", "2: there is more after the value"),
            ("-", "2: a digit should be there"), ("1.", "3: a digit should be there"),
            ("1e", "3: a digit should be there"), ("+1", "1: a value should be there"),
            ("NaN", "1: a value should be there"),
            ("tru", "1: a value should be there"), ("'a'", "1: a value should be there"),
            ("\"a", "3: it ends within a string; a \" is missing"),
            ("\"a\\", "4: it ends within a string; a \" is missing"),
            ("\"\\x\"", "3: there is no such escape; a \\ is written as \\\\"),
            ("\"\\u12\"", "4: four hexadecimal digits should be there"),
            ("\"\\u+123\"", "4: four hexadecimal digits should be there"),
            ("\"\\ud800\"", "8: half of a pair of surrogates; write the character itself"),
            ("\"\\ud800\\u0041\"", "14: half of a pair of surrogates; write the character itself"),
            ("\"\\udc00\"", "8: half of a pair of surrogates; write the character itself"),
            ("\"a\tb\"", "3: a control character in a string; write it as \\u00XX"),
            ("{\"a\":1,\"\\u0061\":2}", "16: 'a' stands twice; leave one out"),
            ("{} {}", "4: there is more after the value"),
        ])
    func refusals(_ text: String, _ sentence: String) {
        let advice = sentence.contains("; ") ? "" : "; write one whole value a line"
        #expect(
            Samples.complaint { () throws(CommandError) in try read(text) } == "not JSON at column " + sentence + advice
        )
    }

    @Test("is refused, and harms nobody, where it is not UTF-8 or without end")
    func hostile() {
        let wrong = Samples.complaint { () throws(CommandError) in try JSONValue([0x22, 0xFF, 0x22][...]) }
        #expect(wrong == "not JSON at column 3: the string before it is not UTF-8; save the file as UTF-8")
        let deep = Samples.complaint { () throws(CommandError) in
            try read(String(repeating: "[", count: 100_000))
        }
        #expect(
            deep == "not JSON at column 65: values stand in each other more than 64 deep; write one whole value a line")
    }

    @Test("has whole numbers, however they are written")
    func counts() throws {
        let texts = [
            "0", "12", "1e3", "2.0", "-1", "1.5", "9223372036854775807", "9223372036854775808", "1e99", "\"1\"",
        ]
        let counts = try texts.map { text throws(CommandError) in try read(text).count }
        #expect(counts == [0, 12, 1000, 2, nil, nil, .max, nil, nil, nil])
    }
}
