import Testing
import WhirlSession

@testable import WhirlLauncher

@Suite("A list")
struct ListReaderTests {
    /// Requests as `LINE URL DESTINATION` and errors as they are.
    private func read(_ chunks: [[UInt8]]) -> [String] {
        var reader = ListReader(name: "list")
        var found: [String] = []
        for chunk in chunks + [[]] {
            reader.append(chunk)
            while let item = reader.next() {
                switch item {
                case .request(let listed):
                    found.append("\(listed.line) \(listed.request.url) \(listed.request.destination)")
                case .wrong(let error, url: _): found.append(error.message.text)
                }
            }
        }
        return found
    }

    private func read(_ text: String) -> [String] { read([Array(text.utf8)]) }

    @Test("has a URL a line, perhaps with out=PATH; comments and empty lines are passed over")
    func lines() {
        let text = "\u{FEFF}http://h/a\n\n # note\n  http://h/b#part\t out=dir/b.bin \r\n#x\nhttp://h/c?x=#y"
        #expect(
            read(text) == [
                "1 http://h/a suggested", #"4 http://h/b#part path("dir/b.bin")"#, "6 http://h/c?x=#y suggested",
            ])
    }

    @Test("may tell what the bytes must be")
    func expectations() throws {
        var reader = ListReader(name: "list")
        let digest = String(repeating: "aB", count: 32)
        reader.append(Array("http://h/a size=12 sha256=\(digest) SHA-1=\(digest.prefix(40)) out=b\n".utf8))
        guard case .request(let listed) = reader.next() else { throw CommandError("no request") }
        #expect(listed.request.size == 12 && listed.request.destination == .path("b"))
        let expected = digest.lowercased()
        #expect(listed.request.digests == [.sha256: expected, .sha1: String(expected.prefix(40))])
    }

    @Test("is the same however its bytes are cut")
    func chunks() {
        let bytes = Array("http://h/a out=ä\n\n#c\nhttp://h/b\r\n bad words\nhttp://h/c".utf8)
        let whole = read([bytes])
        #expect(whole.count == 4)
        for size in 1...bytes.count {
            let chunks = stride(from: 0, to: bytes.count, by: size).map {
                Array(bytes[$0..<min($0 + size, bytes.count)])
            }
            #expect(read(chunks) == whole)
        }
    }

    @Test(
        "that is wrong is told with the line",
        arguments: [
            (
                "http://h/a\nhttp://h/b ouut=x\n",
                "list:2: 'ouut' is not known; a URL may be followed by out=PATH, sha256=HEX, size=N and mirrors"
            ),
            (
                "http://h/a b c\n",
                "list:1: 'b' stands after the URL; a URL may be followed by out=PATH, sha256=HEX, size=N and mirrors"
            ),
            ("http://h/a out=\n", "list:1: out= names no path; write one behind it, or leave it out"),
            ("http://h/a out=x out=y\n", "list:1: out= stands twice; leave one out"),
            ("http://h/a out=-\n", "list:1: out=- is not for a list; use -o - with one URL"),
            (
                "http://h/a out=http://u:secret@h/\n",
                "list:1: out=: 'http://h/' is a URL; here goes the path of a file or folder"
            ),
            ("http://h/a size=1k\n", "list:1: size='1k' is not a number of bytes, such as 1048576"),
            ("http://h/a size=1 size=1\n", "list:1: size= stands twice; leave one out"),
            ("http://h/a md5=1\n", "list:1: '1' is not a md5; it has 32 hexadecimal digits"),
            ("http://h/\0a\n", "list:1: contains a NUL; save the file as UTF-8 text"),
        ])
    func mistakes(_ text: String, _ sentence: String) {
        #expect(read(text).last == sentence)
    }

    @Test("that is not UTF-8, or has a line without end, is refused and read on")
    func hostile() {
        let endless = [UInt8](repeating: 0x61, count: 200_000)
        let rest = Array("\nhttp://h/a\n".utf8)
        #expect(read([[0xFF] + rest]) == ["list:1: not UTF-8; save the file as UTF-8", "2 http://h/a suggested"])
        let expected = ["list:1: longer than 64 KiB; write one URL a line", "2 http://h/a suggested"]
        #expect(read([endless + rest]) == expected)
        #expect(read([endless, endless, rest]) == expected)
    }

    @Test("of a regular file is read whole, and each request knows its place")
    func file() throws {
        let file = try ScratchFile("http://h/a\n\nhttp://h/b\n")
        let inputs = try Inputs(operands: ["http://h/0"], settings: Samples.settings(["-i", file.path]))
        #expect(inputs.items.map(\.request.url) == ["http://h/0", "http://h/a", "http://h/b"])
        #expect(inputs.streams.isEmpty)
        #expect(inputs.items.map(\.place.description) == ["", "\(file.path):1: ", "\(file.path):3: "])
    }

    @Test("with a mistake is blamed before anything starts: file and line, or the argument alone")
    func check() throws {
        let file = try ScratchFile("http://h/a\nhttp://h/b\nexample.org/c\n")
        let twice = try ScratchFile("http://h/a\nhttp://h/b\nhttp://other/a\n")
        func complaint(_ words: String..., operands: [String] = []) throws -> String? {
            let settings = try Samples.settings(words)
            let inputs = try Inputs(operands: operands, settings: settings)
            var plan = try RunPlan(settings, registry: Samples.registry, environment: [:], inputs: inputs)
            return Samples.complaint { () throws(CommandError) in try plan.check() }
        }
        let noScheme = "example.org/c has no scheme; did you mean https://example.org/c?"
        #expect(try complaint("-f", "none", "-i", file.path) == "\(file.path):3: \(noScheme)")
        #expect(try complaint("-f", "none", operands: ["example.org/c"]) == noScheme)
        #expect(try complaint("-f", "none", "-i", twice.path)?.hasPrefix("\(twice.path):3: ") == true)
        #expect(try complaint("-f", "none", operands: ["http://h/a"]) == nil)
    }

    @Test("and -o do not go together; nor do two URLs and -o, or a list without a URL")
    func refusals() throws {
        let empty = try ScratchFile("# nothing\n")
        func complaint(_ words: String..., operands: [String]) throws -> String? {
            let settings = try Samples.settings(words)
            return Samples.complaint { () throws(CommandError) in try Inputs(operands: operands, settings: settings) }
        }
        #expect(
            try complaint("-o", "x", operands: ["http://h/a", "http://h/b"])
                == "-o: names one file, for one URL, and there are 2; use -d, a name with {name} or {index}, or out= in a list"
        )
        #expect(try complaint("-i", empty.path, operands: []) == "-i: \(empty.path): no URL in it; write one a line")
        #expect(
            try complaint("-i", "/proc/none", operands: [])
                == "-i: /proc/none: No such file or directory; look whether the name is right")
        #expect(try complaint("-i", "/tmp", operands: []) == "-i: /tmp: Is a directory; name a file")
    }
}
