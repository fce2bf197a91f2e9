import Testing
import WhirlBoard
import WhirlCore

@Suite struct SummaryTests {
    private func row(_ name: String, _ error: TransferError, attempt: Int = 1) -> Row {
        var row = Row(id: TaskID(number: 1), name: name, url: "https://host/" + name, host: "host")
        row.error = error
        row.attempt = attempt
        row.outcome = .failed(error)
        return row
    }

    @Test("The first line says it all, the failures follow")
    func few() {
        var totals = Totals()
        totals.completed = 509
        totals.failed = 2
        totals.bytes = 4_402_341_478
        totals.elapsed = 151
        totals.retries = 7
        let failures = [
            row("evil.bin", TransferError(.http, "404 Not\u{1B} Found", status: 404)),
            row("big.iso", TransferError(.reset, "connection reset"), attempt: 3),
        ]
        #expect(
            Summary(totals, failures: failures).lines == [
                "whirl: 509 done, 2 failed, 0 cancelled · 4.1 GiB in 2m31s (27.8 MiB/s) · 7 retries",
                "  FAILED  evil.bin                  404 Not^[ Found  https://host/evil.bin",
                "  FAILED  big.iso                   connection reset, 3 tries  https://host/big.iso",
            ])
        totals.skipped = 1
        totals.retries = 1
        let plain = Summary(totals, failures: [], isASCII: true).lines
        #expect(
            plain == ["whirl: 509 done, 2 failed, 0 cancelled, 1 skipped - 4.1 GiB in 2m31s (27.8 MiB/s) - 1 retry"])
    }

    @Test("Nothing at all is a summary too")
    func empty() {
        let lines = Summary(Totals(), failures: []).lines
        #expect(lines == ["whirl: 0 done, 0 failed, 0 cancelled · 0 B in 0.0s (0 B/s)"])
    }

    @Test("Failures of one cause stand beside each other")
    func ordered() {
        let missing = TransferError(.http, "404 Not Found", status: 404)
        let failures = [row("a", missing), row("b", TransferError(.reset, "reset")), row("c", missing)]
        let names = Summary(Totals(), failures: failures).lines.dropFirst().map { $0.split(separator: " ")[1] }
        #expect(names == ["a", "c", "b"])
    }

    @Test("What is kept is named with its path, at most five of them, and how to go on")
    func kept() {
        let partials = (1...7).map { number in
            var row = row("f\(number)", TransferError(.reset, "connection reset"))
            row.destination = "out/f\(number)"
            row.progress = TransferProgress(received: 1 << 20, total: number == 1 ? nil : 4 << 20)
            return row
        }
        let lines = Summary(Totals(), failures: [], partials: partials).lines
        #expect(lines.count == 8)
        #expect(lines[1] == "  KEPT    1.0 MiB                   out/f1.part")
        #expect(lines[2] == "  KEPT    1.0 MiB of 4.0 MiB        out/f2.part")
        #expect(lines[6] == "  KEPT    2 more")
        #expect(lines[7] == "  The same command goes on from what is kept, where the server allows it.")
    }

    @Test("More than 20 failures are grouped by cause")
    func many() {
        let failures =
            (0..<20).map { row("f\($0)", TransferError(.http, "404 Not Found", status: 404)) }
            + [row("g", TransferError(.http, "500 Internal Server Error", status: 500))]
        #expect(Summary(Totals(), failures: Array(failures.prefix(20))).lines.count == 21)
        #expect(
            Summary(Totals(), failures: failures).lines.dropFirst() == [
                "  FAILED  20 × 404 Not Found  (f0 and 19 more)", "  FAILED  1 × 500 Internal Server Error  (g)",
            ])
    }
}
