import Testing
import WhirlCore

@testable import WhirlSession

private func head(_ status: Int, _ fields: String...) -> ResponseHead {
    ResponseHead(status: status, block: Array(fields.joined(separator: "\r\n").utf8))
}

@Suite("What a response's head means") struct HeadJudgementTests {
    private let point = ResumePoint(offset: 100, validator: Validator(etag: "\"a\""), total: 1000)

    @Test(
        "without bytes in hand, a 200 is the file; its length is known or not",
        arguments: [
            (head(200, "Content-Length: 5"), 5), (head(200), nil), (head(204, "Content-Length: 9"), 0),
            (head(200, "Transfer-Encoding: chunked", "Content-Length: 7"), nil),
            (head(200, "Content-Length: 5", "content-length: 5"), 5),
        ] as [(ResponseHead, Int64?)])
    func whole(_ head: ResponseHead, _ total: Int64?) {
        #expect(HeadJudgement(head, continuing: nil) == .receive(offset: 0, total: total, restart: nil))
    }

    @Test("a length that is none, or two that differ, is a protocol error", arguments: ["-1", "x", "1 2", "5, 6", ""])
    func badLength(_ value: String) {
        guard case .fail(let error) = HeadJudgement(head(200, "Content-Length: \(value)"), continuing: nil) else {
            Issue.record("\(value) was accepted")
            return
        }
        #expect(error.code == .malformed)
    }

    @Test("a 206 is appended only when start, total and validator are those that were asked for")
    func part() {
        let good = head(206, "Content-Range: bytes 100-999/1000", "ETag: \"a\"")
        #expect(HeadJudgement(good, continuing: point) == .receive(offset: 100, total: 1000, restart: nil))
    }

    @Test(
        "any other 206 is dropped, and the whole is asked for",
        arguments: [
            head(206, "Content-Range: bytes 99-999/1000", "ETag: \"a\""),
            head(206, "Content-Range: bytes 100-999/1001", "ETag: \"a\""),
            head(206, "Content-Range: bytes 100-998/1000", "ETag: \"a\""),
            head(206, "Content-Range: bytes 100-999/*", "ETag: \"a\""),
            head(206, "Content-Range: bytes 100-999/1000", "ETag: \"b\""),
            head(206, "Content-Range: bytes 100-999/1000", "ETag: W/\"a\""),
            head(206, "Content-Range: bytes 100-999/1000"),
            head(206, "ETag: \"a\""),
            head(206, "Content-Range: lines 100-999/1000", "ETag: \"a\""),
        ])
    func otherPart(_ head: ResponseHead) {
        #expect(HeadJudgement(head, continuing: point) == .askAgain(reason: "changed"))
    }

    @Test("a 206 that nobody asked for fails")
    func unasked() {
        let judgement = HeadJudgement(head(206, "Content-Range: bytes 0-9/10"), continuing: nil)
        #expect(
            judgement
                == .fail(
                    TransferError(.malformed, "the server sent a part (206) of what was asked for whole", status: 206)))
    }

    @Test("a 200 to a ranged request starts over and says why")
    func startsOver() {
        let same = head(200, "Content-Length: 1000", "ETag: \"a\"")
        let other = head(200, "Content-Length: 900", "ETag: \"b\"")
        let none = head(200, "Content-Length: 900")
        #expect(HeadJudgement(same, continuing: point) == .receive(offset: 0, total: 1000, restart: "ranges_ignored"))
        #expect(HeadJudgement(other, continuing: point) == .receive(offset: 0, total: 900, restart: "changed"))
        #expect(HeadJudgement(none, continuing: point) == .receive(offset: 0, total: 900, restart: "changed"))
    }

    @Test("a 416 means complete only when the size in hand is the stored total and nothing differs")
    func notSatisfiable() {
        let whole = ResumePoint(offset: 1000, validator: Validator(etag: "\"a\""), total: 1000)
        #expect(HeadJudgement(head(416, "Content-Range: bytes */1000"), continuing: whole) == .complete)
        let others = [
            head(416, "Content-Range: bytes */1000", "ETag: \"b\""), head(416, "Content-Range: bytes */999"), head(416),
        ]
        for other in others { #expect(HeadJudgement(other, continuing: whole) == .askAgain(reason: "changed")) }
        #expect(
            HeadJudgement(head(416, "Content-Range: bytes */1000"), continuing: point) == .askAgain(reason: "changed"))
        guard case .fail = HeadJudgement(head(416), continuing: nil) else {
            Issue.record("a 416 to a plain request is a failure")
            return
        }
    }

    @Test("HTTP 400 and above is a failure; a few of them may pass", arguments: [400, 401, 403, 404, 410, 501])
    func failures(_ status: Int) {
        guard case .fail(let error) = HeadJudgement(head(status), continuing: point) else {
            Issue.record("\(status) was accepted")
            return
        }
        #expect(error.code == .http && error.status == status && !error.isRetryable)
    }

    @Test("these statuses may pass", arguments: [408, 425, 429, 500, 502, 503, 504, 520, 524])
    func passing(_ status: Int) {
        guard case .fail(let error) = HeadJudgement(head(status), continuing: nil) else {
            Issue.record("\(status) was accepted")
            return
        }
        #expect(error.isRetryable)
    }

    @Test("a redirect says where to; one that does not is a failure")
    func redirects() {
        #expect(HeadJudgement(head(302, "location: /x"), continuing: nil) == .redirect(location: "/x"))
        guard case .fail(let error) = HeadJudgement(head(301), continuing: nil) else {
            Issue.record("nowhere to go")
            return
        }
        #expect(error.code == .redirect)
        guard case .fail(let unchanged) = HeadJudgement(head(304), continuing: nil) else {
            Issue.record("a 304 brings no file")
            return
        }
        #expect(unchanged.code == .http)
    }

    @Test("a validator is strong or none")
    func validators() {
        #expect(Validator(head(200, "ETag: \"a\""))?.kind == .etag)
        #expect(Validator(head(200, "ETag: W/\"a\"")) == nil)
        #expect(Validator(head(200, "ETag: bare")) == nil)
        let date = "Date: Sun, 06 Nov 1994 08:49:38 GMT"
        #expect(Validator(head(200, "Last-Modified: Sun, 06 Nov 1994 08:49:37 GMT", date))?.kind == .modified)
        #expect(Validator(head(200, "Last-Modified: Sun, 06 Nov 1994 08:49:38 GMT", date)) == nil)
        #expect(Validator(head(200, "Last-Modified: Sun, 06 Nov 1994 08:49:37 GMT")) == nil)
        #expect(Validator(head(200, "Last-Modified: yesterday", date)) == nil)
    }
}

@Suite("Values in header fields") struct FieldValueTests {
    @Test(
        "Content-Range is read strictly",
        arguments: [
            ("bytes 0-9/10", true), ("Bytes 0-9/*", true), ("bytes */10", true), ("bytes 9-0/10", false),
            ("bytes 0-10/10", false), ("bytes */*", false), ("bytes 0-9", false), ("0-9/10", false),
            ("bytes +0-9/10", false), ("bytes 0-9/99999999999999999999", false), ("", false), ("bytes -9/10", false),
        ])
    func contentRange(_ text: String, _ isValid: Bool) {
        #expect((ContentRange(text) != nil) == isValid)
    }

    @Test("a date is that many seconds since 1970")
    func dates() {
        #expect(HTTPDate.seconds("Thu, 01 Jan 1970 00:00:00 GMT") == 0)
        #expect(HTTPDate.seconds("Sun, 06 Nov 1994 08:49:37 GMT") == 784_111_777)
        #expect(HTTPDate.seconds("Thu, 29 Feb 2024 23:59:59 GMT") == 1_709_251_199)
        #expect(HTTPDate.seconds("Sun Nov  6 08:49:37 1994") == 784_111_777)
        #expect(HTTPDate.seconds("Sunday, 06-Nov-94 08:49:37 GMT") == 784_111_777)
        #expect(HTTPDate.seconds("Sunday, 06-Nov-94 08:49:37") == nil)
        #expect(HTTPDate.seconds("Sun, 06 Nov 1994 25:49:37 GMT") == nil)
        #expect(HTTPDate.seconds("") == nil)
    }
}
