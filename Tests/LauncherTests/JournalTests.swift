import Glibc
import Testing
import WhirlLoopback

@testable import WhirlLauncher

@Suite("A journal")
struct JournalTests {
    private static let run =
        #"{"type":"run","seq":0,"time":"2026-11-30T12:00:00.000Z","elapsed":0,"schema":"whirl/1","version":"0.1.0"}"#
    private static let key = "00000000000000ab"

    private static func record(_ type: String, _ task: Int, _ rest: String = "") -> String {
        #"{"type":"\#(type)","seq":1,"time":"2026-11-30T12:00:00.000Z","elapsed":0.25,"task":\#(task)\#(rest)}"#
    }

    private static func created(_ task: Int, _ key: String) -> String {
        record(
            "created", task,
            #","url":"http://h.test/\",\"key\":\"0000000000000000\"}","destination":"a","key":"\#(key)""#)
    }

    private func complaint(_ path: String) -> String? {
        Samples.complaint { () throws(CommandError) in try Journal(path) }
    }

    @Test("has the keys of what was completed in any of its runs, and of nothing else")
    func keys() throws {
        func key(_ number: Int) -> String { "000000000000000\(number)" }
        let lines = [
            Self.run, Self.created(1, key(1)), Self.record("progress", 1),
            Self.record("completed", 1, #","received":3"#),
            Self.created(2, key(2)), Self.record("failed", 2, #","error":{"code":"http"}"#),
            Self.record("completed", 2),
            Self.created(3, key(3)), Self.created(4, key(4)), Self.record("cancelled", 4),
            Self.record("warning", 5), Self.run, Self.record("completed", 3), Self.created(1, key(5)),
            Self.record("skipped", 1), Self.created(2, key(6)), Self.record("resumed", 2), Self.record("completed", 2),
        ]
        let file = try ScratchFile(lines.joined(separator: "\n") + "\n")
        let journal = try Journal(file.path)
        #expect((1...9).filter { journal.keys.contains(key($0)) } == [1, 6])
        #expect(journal.warnings.isEmpty && !journal.keys.contains("") && !journal.keys.contains("no key"))
    }

    @Test("is read whatever way its lines are written")
    func foreignHands() throws {
        let lines = [
            #"{ "schema": "whirl/1", "type": "run" }"#, #"{"key":"\#(Self.key)", "task": 1, "type":"created"}"#,
            #" {"task":1,"type":"completed"}"#, #"{"type":"new","task":1,"x":{"y":[]}}"#,
        ]
        let file = try ScratchFile(lines.joined(separator: "\r\n") + "\r\n")
        let journal = try Journal(file.path)
        #expect(journal.keys.contains(Self.key) && journal.warnings.isEmpty)
    }

    @Test("is made where there is none, and may be empty")
    func fresh() throws {
        let folder = try TemporaryFolder()
        let journal = try Journal(folder.path + "/new")
        #expect(journal.warnings.isEmpty && folder.names == ["new"])
        #expect(journal.isSame(as: folder.path + "/./new") && !journal.isSame(as: folder.path + "/other"))
        let empty = try ScratchFile("")
        #expect(try Journal(empty.path).warnings.isEmpty)
    }

    @Test(
        "that was cut off loses what is no whole line, and says so",
        arguments: [#"{"type":"comp"#, "\0\0\0\0", #"{"type":"completed","seq":1,"time":"2026"#, "{", #"{"a":tru"#])
    func torn(_ rest: String) throws {
        let whole = [Self.run, Self.created(1, Self.key), Self.record("completed", 1)].joined(separator: "\n") + "\n"
        let folder = try TemporaryFolder()
        folder.write("j", whole + rest)
        let journal = try Journal(folder.path + "/j")
        #expect(journal.warnings.map(\.text) == ["\(folder.path)/j: its last line was cut off, and is taken away"])
        #expect(folder.read("j") == Array(whole.utf8) && journal.keys.contains(Self.key))
    }

    @Test("whose last line lacks its end alone keeps it")
    func unended() throws {
        let whole = [Self.run, Self.created(1, Self.key), Self.record("completed", 1)].joined(separator: "\n")
        let folder = try TemporaryFolder()
        folder.write("j", whole)
        let journal = try Journal(folder.path + "/j")
        #expect(journal.warnings.map(\.text) == ["\(folder.path)/j: its last line had no end, and was given one"])
        #expect(folder.read("j") == Array((whole + "\n").utf8) && journal.keys.contains(Self.key))
    }

    @Test("that was cut off in its first line is empty again", arguments: [1, 12, 40])
    func tornAtOnce(_ count: Int) throws {
        let folder = try TemporaryFolder()
        folder.write("j", String(Self.run.prefix(count)))
        let journal = try Journal(folder.path + "/j")
        #expect(journal.warnings.count == 1 && folder.read("j") == [])
    }

    @Test("passes over lines that can't be read, and says where the first is")
    func unreadable() throws {
        let long = String(repeating: "x", count: 3_000_000)
        let lines = [Self.run, "", "x", Self.created(1, Self.key), "\0\0", long, Self.record("completed", 1)]
        let file = try ScratchFile(lines.joined(separator: "\n") + "\n")
        let journal = try Journal(file.path)
        #expect(journal.keys.contains(Self.key))
        #expect(journal.warnings.map(\.text) == ["\(file.path):2: 4 lines are no records, and passed over"])
        let one = try ScratchFile(Self.run + "\nx\n")
        #expect(
            try Journal(one.path).warnings.map(\.text)
                == ["\(one.path):2: a line that can't be read is no records, and passed over"])
    }

    @Test(
        "is not what does not begin as a stream does: that is left as it is",
        arguments: [
            "http://h.test/a\n", "x", "{}", "{}\n", #"{"type":"created","task":1}"# + "\n", "\n", "\0",
            #"{"type":"run"}"#,
            #"{"type":"run","schema":"other/1"}"# + "\n", #"{"type":"rum"#,
        ])
    func foreign(_ text: String) throws {
        let folder = try TemporaryFolder()
        folder.write("j", text)
        let sentence = "\(folder.path)/j is no journal: it does not begin as a stream of whirl does; name another file"
        #expect(complaint(folder.path + "/j") == sentence)
        #expect(folder.read("j") == Array(text.utf8))
    }

    @Test("is not a large file without lines, nor a stream of a later kind, nor what is no regular file")
    func others() throws {
        let large = try ScratchFile([UInt8](repeating: 0x7B, count: 2_000_000))
        #expect(complaint(large.path)?.contains("is no journal") == true)
        let later = try ScratchFile(#"{"type":"run","schema":"whirl/2"}"# + "\n")
        #expect(
            complaint(later.path)?.hasSuffix(
                "is of schema 'whirl/2', which this whirl can't go on with; name another file") == true)
        let minor = try ScratchFile(#"{"type":"run","schema":"whirl/1.4"}"# + "\n")
        #expect(try Journal(minor.path).warnings.isEmpty)
        #expect(complaint("/dev/null") == "/dev/null is no regular file, as a journal has to be; name another")
        #expect(complaint("/tmp") == "/tmp: Is a directory; name a file")
        #expect(
            complaint("/no/such/folder/j")
                == "/no/such/folder/j: No such file or directory; look whether the name is right")
    }

    @Test("can be looked into, also while a run has it, and stays as it is")
    func peek() throws {
        let whole = [Self.run, Self.created(1, Self.key), Self.record("completed", 1)].joined(separator: "\n")
        let folder = try TemporaryFolder()
        folder.write("j", whole + "\n")
        let owner = try Journal(folder.path + "/j")
        #expect(try Journal.peek(folder.path + "/j").contains(Self.key))
        withExtendedLifetime(owner) {}
        for (text, isThere) in [
            (whole, true), (whole + "\n{", true), (String(Self.run.prefix(12)), false), ("", false),
        ] {
            folder.write("k", text)
            #expect(try Journal.peek(folder.path + "/k").contains(Self.key) == isThere)
            #expect(folder.read("k") == Array(text.utf8))
        }
        #expect(try !Journal.peek(folder.path + "/none").contains(Self.key))
        #expect(folder.names == ["j", "k"])
        folder.write("k", "x")
        #expect(
            Samples.complaint { () throws(CommandError) in try Journal.peek(folder.path + "/k") }
                == "\(folder.path)/k is no journal: it does not begin as a stream of whirl does; name another file")
    }

    @Test("is one run's alone")
    func locked() throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/j"
        var first: Journal? = try Journal(path)
        #expect(
            complaint(path) == "\(path) is the journal of a run that has not ended; wait for it, or name another")
        withExtendedLifetime(first) {}
        first = nil
        #expect(complaint(path) == nil)
    }
}
