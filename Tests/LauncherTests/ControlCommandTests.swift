import Testing
import WhirlCore
import WhirlSession

@testable import WhirlLauncher

@Suite("A command for a run")
struct ControlCommandTests {
    private func read(_ line: String) -> ControlCommand.Line { ControlCommand.read(Array(line.utf8)) }

    private func complaint(_ line: String) -> String? {
        if case .failure(let error) = read(line).command { error.message.text } else { nil }
    }

    @Test(
        "is about one task or all",
        arguments: [
            (#"{"command":"suspend","task":1}"#, "suspend(task 1)"),
            (#" {"id":1, "task":"all", "command":"resume"} "#, "resume(all)"),
            (#"{"command":"cancel","task":9007199254740991}"#, "cancel(task 9007199254740991)"),
            (#"{"command":"retry","task":1e2}"#, "retry(task 100)"),
            (#"{"command":"drain"}"#, "drain"), (#"{"id":null,"command":"quit"}"#, "quit"),
            (#"{"command":"set","jobs":3}"#, "set(jobs 3, rate as it is)"),
            (#"{"command":"set","rate":1}"#, "set(jobs as they are, rate 1)"),
            (#"{"command":"set","rate":null,"jobs":1000}"#, "set(jobs 1000, rate unlimited)"),
        ])
    func commands(_ line: String, _ expected: String) throws {
        #expect(words(try read(line).command.get()) == expected)
    }

    private func words(_ command: ControlCommand) -> String {
        func words(_ target: ControlCommand.Target) -> String {
            switch target {
            case .all: "all"
            case .task(let id): "task \(id.number)"
            }
        }
        return switch command {
        case .suspend(let target): "suspend(\(words(target)))"
        case .resume(let target): "resume(\(words(target)))"
        case .cancel(let target): "cancel(\(words(target)))"
        case .retry(let target): "retry(\(words(target)))"
        case .add(let request): "add(\(request.url))"
        case .set(let jobs, let rate): "set(jobs \(jobs.map { "\($0)" } ?? "as they are"), rate \(rateWords(rate)))"
        case .drain: "drain"
        case .quit: "quit"
        }
    }

    private func rateWords(_ rate: ControlCommand.Rate?) -> String {
        switch rate {
        case .unlimited?: "unlimited"
        case .bytes(let count)?: "\(count)"
        case nil: "as it is"
        }
    }

    @Test("adds what a manifest's record says")
    func add() throws {
        let line = #"{"command":"add","request":{"url":"http://h.test/a","destination":"b","size":3}}"#
        guard case .add(let request) = try read(line).command.get() else { throw CommandError("no add") }
        #expect(request.url == "http://h.test/a" && request.destination == .path("b") && request.size == 3)
    }

    @Test(
        "keeps the name that it has, as far as it can be read",
        arguments: [
            (#"{"id":7,"command":"drain"}"#, .number(7)), (#"{"id":-7,"command":"no"}"#, .number(-7)),
            (#"{"id":"seven","command":5}"#, .text("seven")), (#"{"command":"drain"}"#, nil),
            (#"{"id":1.5,"command":"drain"}"#, nil), (#"{"id":[1],"command":"drain"}"#, nil),
            (#"{"id":9007199254740993,"command":"drain"}"#, nil), (#"{"id":7"#, nil),
        ] as [(String, CommandAnswer.Name?)])
    func name(_ line: String, _ expected: CommandAnswer.Name?) { #expect(read(line).id == expected) }

    @Test(
        "that makes no sense is refused with a sentence that says what would",
        arguments: [
            ("", "not JSON"), ("suspend 1", "not JSON"), (#"{"command":"quit"} x"#, "not JSON"),
            ("[]", #"a command is an object, such as {"id": 1, "command": "suspend", "task": 1}"#),
            ("{}", "command must be one of suspend, resume, cancel, retry, add, set, drain, quit"),
            (#"{"command":1}"#, "command must be one of"),
            (#"{"command":"pasue","task":1}"#, "'pasue' is no command; there is suspend,"),
            (#"{"command":"resmue","task":1}"#, "did you mean resume?"),
            (#"{"command":"suspend"}"#, #"suspend needs a task: its number, or "all""#),
            (#"{"command":"cancel","task":"1"}"#, "cancel needs a task"),
            (#"{"command":"cancel","task":0}"#, "cancel needs a task"),
            (#"{"command":"cancel","task":-1}"#, "cancel needs a task"),
            (#"{"command":"cancel","task":1.5}"#, "cancel needs a task"),
            (#"{"command":"suspend","tsak":1}"#, "'tsak' is no field of suspend; it has id, command, task"),
            (#"{"command":"quit","task":1}"#, "'task' is no field of quit; it has id, command"),
            (#"{"command":"set"}"#, "set needs jobs, rate, or both"),
            (#"{"command":"set","jobs":0}"#, "jobs must be a whole number from 1 to 1000"),
            (#"{"command":"set","jobs":"4"}"#, "jobs must be"), (#"{"command":"set","jobs":null}"#, "jobs must be"),
            (
                #"{"command":"set","rate":0}"#,
                "rate must be a whole number of bytes per second from 1, or null for no limit"
            ),
            (#"{"command":"set","rate":1e300}"#, "rate must be"),
            (#"{"command":"add"}"#, #"add needs a request, such as {"url": "https://example.org/a.iso"}"#),
            (#"{"command":"add","url":"x"}"#, "'url' is no field of add"),
            (#"{"command":"add","request":{}}"#, "request: "), (#"{"command":"add","request":"x"}"#, "request: "),
            (#"{"id":{},"command":"drain"}"#, "id is a whole number or a string of at most 1024 bytes"),
        ])
    func refused(_ line: String, _ sentence: String) {
        #expect(complaint(line)?.contains(sentence) == true, "\(complaint(line) ?? "no complaint")")
    }

    @Test("of very many fields, or with a very long word, is refused at once", .timeLimit(.minutes(1)))
    func many() {
        let fields = (0..<50_000).map { "\"a\($0)\":0" }.joined(separator: ",")
        #expect(complaint("{\"command\":\"quit\",\(fields)}")?.contains("'a0' is no field of quit") == true)
        #expect(complaint("{\(fields),\"a49999\":1}")?.contains("'a49999' stands twice") == true)
        let long = String(repeating: "x", count: 1_000_000)
        #expect(complaint("{\"command\":\"\(long)\"}")?.contains("is no command") == true)
    }

    @Test("that is too long is refused")
    func long() {
        guard case .failure(let error) = ControlCommand.read(nil).command else { return #expect(Bool(false)) }
        #expect(error.message.text == "a command has at most 1 MiB")
    }

    @Test(
        "that is refused gives no secret away",
        arguments: [
            #"{"command":"add","request":{"url":"http://u:canary@h.test/a","size":"canary"}}"#,
            #"{"command":"add","request":{"url":5,"headers":{"Authorization":"canary"}}}"#,
            #"{"command":"http://u:canary@h.test/"}"#, #"{"http://u:canary@h.test/":1,"command":"quit"}"#,
            #"{"command":"add","request":{"url":"http://h.test/","headers":{"A":"canary\n"}}}"#, "canary",
        ])
    func secrets(_ line: String) throws {
        let complaint = try #require(self.complaint(line))
        #expect(!complaint.contains("canary"), "\(complaint)")
    }
}
