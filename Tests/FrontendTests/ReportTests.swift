import Synchronization
import Testing
import WhirlBoard
import WhirlCore

@testable import WhirlJSONLines

@Suite struct ReportTests {
    private func play(_ stage: Stage) {
        stage.begin()
        let task = stage.start("a", url: "https://h/a?x=1&token=%E2%80%A6&flag")
        stage.clock.advance(0.5)
        task.core.redirect(status: 302, url: "https://m/a")
        stage.clock.advance(0.25)
        task.core.report(received: 100, total: 1000)
        stage.clock.advance(1)
        task.core.retry(after: 0.5, error: TransferError(.reset, "connection \"lost\"\n", status: 200))
        stage.clock.advance(0.5)
        task.core.beginAttempt(offset: 100)
        task.core.report(received: 1000, total: 1000)
        let timings = ExchangeTimings(dns: 1, connect: 5.5, ssl: 4, send: 0.5, wait: 20, receive: 100)
        task.core.end(.completed(TaskCompletion(status: 206, timings: timings)))
        stage.start().fail()
        var summary = RunSummary()
        (summary.completed, summary.failed, summary.bytes, summary.wasted, summary.exit) = (1, 1, 1000, 7, 1)
        stage.end(summary)
    }

    @Test("An archive has an entry for each exchange, with the transport's timings where it has told them")
    func archive() throws {
        let report = Mutex(HARReport(version: "1"))
        report.withLock { $0.begin("run.jsonl") }
        play(Stage(receive: { record in report.withLock { $0.take(record) } }, follow: { _ in }))
        report.withLock { $0.finish() }
        let har = try JSONValue(report.withLock { $0.takeBytes() })["log"]
        #expect(har?["version"] == .string("1.2"))
        guard case .array(let entries)? = har?["entries"], case .array(let pages)? = har?["pages"] else {
            Issue.record("no arrays")
            return
        }
        #expect(pages.count == 1 && pages[0]["title"] == .string("run.jsonl, whirl 0.1.0, memory"))
        #expect(entries.count == 4)
        #expect(entries.map { $0["response"]?["status"]?.integer } == [302, 200, 206, 404])
        #expect(entries.map { $0["time"]?.number } == [500, 1250, 127, 0])
        #expect(entries[0]["response"]?["redirectURL"] == .string("https://m/a"))
        #expect(entries[0]["startedDateTime"] == .string("2026-11-30T01:44:57.000Z"))
        guard case .array(let query)? = entries[0]["request"]?["queryString"] else {
            Issue.record("no query")
            return
        }
        #expect(query.map { $0["name"]?.string } == ["x", "token", "flag"])
        #expect(entries[1]["timings"]?["wait"]?.number == 250 && entries[1]["timings"]?["receive"]?.number == 1000)
        #expect(entries[1]["_error"] == .string("reset: connection \"lost\"\n"))
        #expect(entries[1]["response"]?["bodySize"]?.integer == 100)
        #expect(entries[2]["timings"]?["ssl"]?.number == 4 && entries[2]["timings"]?["blocked"]?.number == -1)
        #expect(entries[2]["response"]?["bodySize"]?.integer == 900 && entries[2]["_attempt"]?.integer == 2)
    }

    @Test("Metrics add up over runs, and each family stands together")
    func metrics() {
        let report = Mutex(MetricsReport())
        for _ in 0..<2 {
            report.withLock { $0.begin() }
            play(Stage(receive: { record in report.withLock { $0.take(record) } }, follow: { _ in }))
        }
        let lines = report.withLock { $0.text }.split(separator: "\n")
        for line in [
            "whirl_runs_total{exit=\"1\",transport=\"memory\"} 2", "whirl_run_seconds_total 4.5",
            "whirl_tasks_total{outcome=\"completed\"} 2", "whirl_tasks_total{outcome=\"skipped\"} 0",
            "whirl_failures_total{code=\"http\",status=\"404\"} 2", "whirl_attempts_total 6",
            "whirl_retries_total{code=\"reset\"} 2", "whirl_redirects_total 2", "whirl_body_bytes_total 2000",
            "whirl_wasted_bytes_total 14", "whirl_task_seconds_bucket{le=\"0.1\"} 2",
            "whirl_task_seconds_bucket{le=\"+Inf\"} 4", "whirl_task_seconds_count 4",
            "whirl_exchange_seconds_sum{part=\"wait\"} 0.04", "whirl_exchange_seconds_count{part=\"wait\"} 2",
        ] {
            #expect(lines.contains(Substring(line)), "\(line)")
        }
    }

    @Test("Labels from outside are escaped, and many of them are one")
    func labels() {
        var families = MetricFamilies()
        families.declare("x_total", "counter", "X.")
        families.add(1, to: "x_total", ["a": "\"\\\n\r"])
        for number in 0..<1000 { families.add(1, to: "x_total", ["a": "\(number)"]) }
        let lines = families.text.split(separator: "\n")
        #expect(lines.count == 2 + 201)
        #expect(lines[2] == #"x_total{a="\"\\\n "} 1"#)
        #expect(lines.last == #"x_total{a="other"} 801"#)
    }
}
