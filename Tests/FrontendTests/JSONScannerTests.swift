import FoundationEssentials
import Testing

@testable import WhirlJSONLines

@Suite struct JSONScannerTests {
    private func read(_ text: String) throws -> JSONItem {
        let bytes = Array(text.utf8)
        return try JSONScanner.read(bytes, 0..<bytes.count)
    }

    @Test("Every kind of value is read")
    func values() throws {
        let item = try read(
            #" { "a" : [ 1 , -2.5e1, true,false , null ], "b":{}, "c":"x\"\\\/\b\f\n\r\té\ud83d\ude00", "a":0 } "#)
        #expect(item["a"] == .integer(0))  // the last of two counts
        #expect(item["b"] == .object([]))
        #expect(item["c"] == .string("x\"\\/\u{8}\u{C}\n\r\té😀"))
        #expect(
            try read("[1,-2.5e1,true,false,null]")
                == .array([.integer(1), .number(-25), .bool(true), .bool(false), .null]))
        #expect(try read("123456789012345678") == .integer(123_456_789_012_345_678))
        #expect(try read("1234567890123456789") == .number(1_234_567_890_123_456_768))
        #expect(try read(#""\ud800x\udc00""#) == .string("\u{FFFD}x\u{FFFD}"))
    }

    @Test(
        "What is no JSON is none",
        arguments: [
            "", " ", "{", "}", "[1,]", "[1 2]", "{\"a\"}", "{\"a\":}", "{a:1}", "{\"a\":1,}", "01", "-", "1.", ".5",
            "1e",
            "+1", "tru", "nul", "NaN", "Infinity", "\"", "\"\\x\"", "\"\\u12\"", "\"a\nb\"", "1 2", "{} {}", "'a'",
            "1e999", "\u{0}", "\"a\u{0}\"",
        ])
    func wrong(_ text: String) {
        #expect(throws: JSONScanner.Fault.self) { try read(text) }
    }

    @Test(
        "What is wrong is said",
        arguments: [
            ("1 2", "there is more behind its end"), ("{1:2}", "a name is missing"),
            ("{\"a\" 1}", "a colon is missing"),
            ("1e999", "a number is too large"), ("\"a\nb\"", "a string has a control character in it"),
            ("\"\\x\"", "a string has a wrong escape in it"), ("\"\\u12x4\"", "a string has a wrong escape in it"),
            (String(repeating: "[", count: 99), "it is nested too deep"), ("[1", "it ends too early"),
        ])
    func reasons(_ text: String, _ reason: String) {
        #expect(throws: JSONScanner.Fault(reason)) { try read(text) }
    }

    @Test("Nesting is limited, whatever comes")
    func deep() throws {
        _ = try read(String(repeating: "[", count: 31) + "1" + String(repeating: "]", count: 31))
        #expect(throws: JSONScanner.Fault.self) { try read(String(repeating: "[", count: 100_000)) }
    }

    @Test("It agrees with another parser on damaged lines, and never traps")
    func fuzz() throws {
        let line = Array(
            #"{"type":"failed","seq":12,"elapsed":1.25e0,"error":{"code":"http","a":[null,true,-0.5]},"t":"é\n\u00e9"}"#
                .utf8)
        var random = SystemRandomNumberGenerator()
        let letters = Array(#"{}[]",:\u0e-+.1tfn "#.utf8) + [0, 0x0A, 0xFF, 0xC3]
        for _ in 0..<5000 {
            var bytes = line
            for _ in 0..<Int.random(in: 1...3, using: &random) {
                let place = Int.random(in: 0..<bytes.count, using: &random)
                switch Int.random(in: 0..<3, using: &random) {
                case 0: bytes.remove(at: place)
                case 1: bytes[place] = letters.randomElement(using: &random) ?? 0
                default: bytes.insert(letters.randomElement(using: &random) ?? 0, at: place)
                }
            }
            let mine = try? JSONScanner.read(bytes, 0..<bytes.count)
            // Where both read it they read the same type; theirs is the more tolerant of the two.
            guard let mine, let theirs = try? JSONValue(bytes) else { continue }
            if case .string(let type)? = mine["type"] { #expect(theirs["type"]?.string == type) }
        }
    }
}
