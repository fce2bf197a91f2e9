import Testing
import WhirlCore

@Suite("The head of a response") struct ResponseHeadTests {
    private func head(_ block: String) -> ResponseHead { ResponseHead(status: 200, block: Array(block.utf8)) }

    @Test("A field is found whatever the case of its name", arguments: ["etag", "ETag", "ETAG", "eTaG"])
    func anyCase(spelled: String) {
        #expect(head("\(spelled): \"a\"\r\n")["ETag"] == "\"a\"")
        #expect(head("\(spelled): \"a\"\r\n").values("etag") == ["\"a\""])
    }

    @Test("Only letters have case: other characters that differ by the same bit are not taken for each other")
    func onlyLettersHaveCase() {
        #expect(head("x@y: 1\r\n")["x`y"] == nil)
        #expect(head("x_y: 1\r\n")["x\u{7F}y"] == nil)
    }

    @Test(
        "Blanks around a value are not part of it, those inside are",
        arguments: ["A:v w\r\n", "A: v w\r\n", "A: \t v w \t \r\n", "A:v w\n", "A: v w"])
    func blanks(block: String) { #expect(head(block)["a"] == "v w") }

    @Test("An empty value is there; a missing field is not")
    func emptyAndMissing() {
        #expect(head("A:\r\nB: \r\n")["A"] == "")
        #expect(head("A:\r\nB: \r\n")["B"] == "")
        #expect(head("A:\r\n")["C"] == nil)
        #expect(head("")["A"] == nil)
        #expect(head("").fields == [])
    }

    @Test("A line without a colon, or without a name, is passed over")
    func missingColon() {
        let odd = head("no colon here\r\n: nameless\r\nA: 1\r\n\r\nB: 2\r\n")
        #expect(odd.fields == [HTTPField("A", "1"), HTTPField("B", "2")])
        #expect(odd["no colon here"] == nil)
    }

    @Test("Of several fields of one name the first is given, and all of them in order when asked for")
    func duplicates() {
        let twice = head("Via: a\r\nX: 1\r\nvia: b\r\nVIA: a\r\n")
        #expect(twice["Via"] == "a")
        #expect(twice.values("Via") == ["a", "b", "a"])
        #expect(twice.values("Y") == [])
    }

    @Test("A name that begins or ends like another is another")
    func wholeNames() {
        let head = head("Content-Length-X: 1\r\nX-Content-Length: 2\r\nContent-Length: 3\r\n")
        #expect(head["Content-Length"] == "3")
    }

    @Test("A value may hold colons and bytes that are no UTF-8; the latter are replaced")
    func oddValues() {
        #expect(head("Location: http://h:1/a:b\r\n")["location"] == "http://h:1/a:b")
        let bytes = ResponseHead(status: 200, block: Array("A: x".utf8) + [0xFF] + Array("y\r\n".utf8))
        #expect(bytes["A"] == "x\u{FFFD}y")
    }

    @Test("A head made of fields gives them back, in order")
    func ofFields() {
        let fields = [HTTPField("B", "2"), HTTPField("a", ""), HTTPField("B", "1: x")]
        let head = ResponseHead(status: 206, version: .http11, fields: fields)
        #expect(head.fields == fields)
        #expect(head.status == 206)
        #expect(head.version == .http11)
    }
}
