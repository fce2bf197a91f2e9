import Testing
import WhirlCore

@testable import WhirlJSONLines

@Suite struct RecordEncoderTests {
    private let moment = Moment(elapsed: 12.345678, time: Stage.morning + 12_345)

    private func line(_ encode: (inout RecordEncoder) -> Void) -> String {
        var encoder = RecordEncoder()
        encode(&encoder)
        return String(decoding: encoder.text.bytes, as: UTF8.self)
    }

    private func head(_ type: String) -> String {
        #"{"type":"\#(type)","seq":0,"time":"2026-11-30T01:44:57.012Z","elapsed":12.345678"#
    }

    private func task(_ type: String, _ rest: String) -> String { head(type) + #","task":7\#(rest)}"# + "\n" }

    @Test("Records of the run have the members of the schema")
    func runRecords() {
        let run = line { $0.run(moment, RunDescription(version: "0.1.0", transport: "curl", jobs: 8)) }
        #expect(run == head("run") + #","schema":"whirl/1","version":"0.1.0","transport":"curl","jobs":8}"# + "\n")
        let created = line {
            $0.created(moment, TaskID(number: 7), TaskDescription(url: "https://h/a", destination: "a", key: "00ff"))
        }
        #expect(created == task("created", #","url":"https://h/a","destination":"a","key":"00ff""#))
        #expect(line { $0.warning(moment, "w") } == head("warning") + #","message":"w"}"# + "\n")
        #expect(line { $0.lost(moment, 12) } == head("lost") + #","count":12}"# + "\n")
        var summary = RunSummary()
        (summary.completed, summary.failed, summary.cancelled, summary.skipped) = (1, 2, 3, 4)
        (summary.bytes, summary.wasted, summary.exit) = (5_242_880, 6, 1)
        #expect(
            line { $0.end(moment, summary) } == head("end")
                + #","completed":1,"failed":2,"cancelled":3,"skipped":4,"bytes":5242880,"wasted":6,"exit":1}"# + "\n")
    }

    @Test("A progress record has integers; what is unknown is null")
    func progress() {
        let line = line {
            $0.progress(
                moment, TaskID(number: 7),
                ProgressLine(attempt: 1, phase: .receiving, received: 1_048_576, total: nil, rate: 2_621_440.4))
        }
        #expect(
            line
                == task(
                    "progress",
                    #","attempt":1,"phase":"receiving","received":1048576,"total":null,"rate":2621440"#))
    }

    @Test("An attempt that goes elsewhere says where")
    func mirror() {
        let task = StageTask()
        task.resume()
        task.core.beginAttempt(url: "http://mirror/")
        let snapshot = task.life.snapshot
        #expect(
            line { $0.task(moment, TaskID(number: 7), .attempt, snapshot) }
                == self.task("attempt", #","attempt":1,"offset":0,"url":"http://mirror/""#))
        task.core.beginAttempt()
        #expect(task.life.snapshot.url == nil)
    }

    @Test(
        "A plan has its action, and what there is to say of it",
        arguments: [
            (.fetch(restart: nil), #""fetch""#), (.fetch(restart: "changed"), #""fetch","reason":"changed""#),
            (.resume(offset: 4, total: 10), #""resume","offset":4,"total":10"#),
            (.resume(offset: 4, total: nil), #""resume","offset":4,"total":null"#), (.refresh, #""refresh""#),
            (.skip(reason: "exists"), #""skip","reason":"exists""#),
            (
                .fail(TransferError(.io, "no")),
                #""fail","error":{"code":"io","retryable":false,"message":"no"}"#
            ),
        ] as [(PlannedTask.Action, String)])
    func planned(_ action: PlannedTask.Action, _ members: String) {
        let description = TaskDescription(url: "u", destination: "d", key: "k")
        let line = line { $0.planned(moment, PlannedTask(description, action)) }
        #expect(line.hasPrefix(#"{"type":"planned","seq":"#))
        #expect(line.hasSuffix(#","url":"u","destination":"d","key":"k","action":\#(members)}"# + "\n"))
    }

    @Test("Lifecycle records have the members of the schema")
    func lifecycle() {
        let task = StageTask()
        task.resume()
        task.core.beginAttempt(offset: 5)
        task.core.report(received: 10, total: 20)
        let snapshot = task.life.snapshot
        func line(_ event: TaskEvent) -> String {
            self.line { $0.task(moment, TaskID(number: 7), event, snapshot) }
        }
        let error = TransferError(.truncated, "short", transport: "curl", native: 18, status: 200)
        let object =
            #"{"code":"truncated","transport":"curl","native":18,"status":200,"retryable":true,"message":"short"}"#
        let timings = ExchangeTimings(dns: 0.25, wait: 12, receive: .nan)
        let completion = TaskCompletion(status: 200, digests: ["sha256": "ab", "md5": "cd"], timings: timings)
        #expect(line(.resumed) == self.task("resumed", ""))
        #expect(line(.attempt) == self.task("attempt", #","attempt":1,"offset":5"#))
        #expect(line(.redirected(status: 302, url: "u")) == self.task("redirected", #","status":302,"url":"u""#))
        #expect(line(.suspended(reason: "user")) == self.task("suspended", #","received":10,"reason":"user""#))
        #expect(
            line(.retrying(delay: 1.7, error: error))
                == self.task("retrying", #","attempt":2,"delay":1.7,"error":\#(object)"#))
        #expect(
            line(.restarted(reason: "changed"))
                == self.task("restarted", #","attempt":1,"offset":5,"reason":"changed""#))
        #expect(line(.ended(.skipped(reason: "exists"))) == self.task("skipped", #","reason":"exists""#))
        let far = #","received":10,"total":20"#
        #expect(line(.ended(.failed(error))) == self.task("failed", #"\#(far),"error":\#(object)"#))
        #expect(line(.ended(.cancelled(reason: "user"))) == self.task("cancelled", #"\#(far),"reason":"user""#))
        #expect(
            line(.ended(.completed(TaskCompletion(destination: "b"))))
                == self.task("completed", #","received":10,"destination":"b""#))
        #expect(
            line(.ended(.completed(completion)))
                == self.task(
                    "completed",
                    #","received":10,"status":200,"digests":{"md5":"cd","sha256":"ab"},"timings":{"blocked":null,"#
                        + #""dns":0.25,"connect":null,"ssl":null,"send":null,"wait":12,"receive":null}"#))
        #expect(
            self.line {
                $0.task(moment, TaskID(number: 7), .ended(.failed(TransferError(.usage, "no"))), TaskSnapshot())
            }
                == self.task("failed", #","error":{"code":"usage","retryable":false,"message":"no"}"#))
        #expect(
            line(.ended(.completed(TaskCompletion()))) == self.task("completed", #","received":10"#))
        #expect(line(.canceling) == "")
        #expect(line(.progress) == "")
    }

    @Test("Text comes back as it went in, whatever is in it, and nothing in a line acts on a terminal")
    func text() throws {
        var texts = [
            "", "plain", "\"\\/\n\r\t\u{8}\u{C}\u{0}\u{1F}\u{7F}", "\u{2028}\u{2029}\u{202E}\u{9B}\u{85}", "日本語 é 😀",
        ]
        texts.append(String(String.UnicodeScalarView((UInt32(0)...0x3000).compactMap(Unicode.Scalar.init))))
        texts.append(String(decoding: [0xFF, 0xC3, 0x28] as [UInt8], as: UTF8.self))
        texts.append("\u{E0001}\u{FEFF}\u{10FFFF}")
        for text in texts {
            let line = line { $0.warning(moment, text) }
            #expect(try JSONValue(line)["message"] == .string(text))
            for scalar in line.unicodeScalars.dropLast() {
                let category = scalar.properties.generalCategory
                #expect(![.control, .format, .lineSeparator, .paragraphSeparator].contains(category))
            }
        }
    }

    @Test(
        "Numbers are exact, without exponents, and never a trap",
        arguments: [
            (0, "0"), (-0.0, "0"), (1.5, "1.5"), (0.000001, "0.000001"), (0.0000004, "0"), (12.3456789, "12.345679"),
            (-3.25, "-3.25"), (999_999.9999999, "1000000"), (.nan, "null"), (.infinity, "null"), (1e300, "null"),
        ] as [(Double, String)])
    func decimals(_ number: Double, _ text: String) {
        var json = JSONText()
        json.beginObject()
        json.put("n", number, digits: 6)
        json.endObject()
        #expect(String(decoding: json.bytes, as: UTF8.self) == "{\"n\":\(text)}")
    }

    @Test(
        "Integers stay within what every reader holds exactly",
        arguments: [
            (0, "0"), (-42, "-42"), (9_007_199_254_740_991, "9007199254740991"), (.max, "9007199254740991"),
            (.min, "-9007199254740991"), (nil, "null"),
        ] as [(Int64?, String)])
    func integers(_ number: Int64?, _ text: String) {
        var json = JSONText()
        json.beginObject()
        json.put("n", number)
        json.endObject()
        #expect(String(decoding: json.bytes, as: UTF8.self) == "{\"n\":\(text)}")
    }
}
