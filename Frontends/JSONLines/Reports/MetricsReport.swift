public import WhirlCore

/// Sums over runs in the text format of Prometheus, version 0.0.4.
public struct MetricsReport {
    private static let bounds = [0.1, 0.5, 1, 5, 10, 30, 60, 300, 1800, 7200]
    private var families = MetricFamilies()
    /// When tasks under way began, in seconds of the run.
    private var began: [TaskID: Double] = [:]
    private var transport = ""

    /// Nothing yet.
    public init() {
        families.declare("whirl_runs_total", "counter", "Runs, by transport and exit code.")
        families.declare("whirl_run_seconds_total", "counter", "How long the runs took.")
        families.declare("whirl_tasks_total", "counter", "Tasks, by how they ended.")
        for outcome in ["completed", "failed", "skipped", "cancelled"] {
            families.add(0, to: "whirl_tasks_total", ["outcome": outcome])
        }
        families.declare("whirl_failures_total", "counter", "Tasks that failed, by code and HTTP status.")
        families.declare("whirl_attempts_total", "counter", "Tries of tasks.")
        families.declare("whirl_retries_total", "counter", "Tries that failed and were followed by another, by code.")
        families.declare("whirl_redirects_total", "counter", "Redirects that were followed.")
        families.declare("whirl_restarts_total", "counter", "Times that bytes in hand were thrown away, by reason.")
        families.declare("whirl_body_bytes_total", "counter", "Body bytes that were moved.")
        families.declare("whirl_wasted_bytes_total", "counter", "Body bytes that were moved and thrown away.")
        for name in [
            "whirl_attempts_total", "whirl_redirects_total", "whirl_body_bytes_total", "whirl_wasted_bytes_total",
        ] {
            families.add(0, to: name)
        }
        families.declare("whirl_task_seconds", "histogram", "From a task's first slot to its end.")
        families.declare("whirl_exchange_seconds", "summary", "Parts of the last exchanges of completed tasks.")
    }

    /// What comes next is of another run.
    public mutating func begin() { began = [:] }

    /// The next record of the run.
    public mutating func take(_ record: RunRecord) {
        switch record.event {
        case .run(let run): transport = run.transport
        case .created, .planned, .warning, .answer: break
        case .task(let id, let update):
            if let event = update.event { take(event, id, record.elapsed) }
        case .end(let summary):
            families.add(1, to: "whirl_runs_total", ["transport": transport, "exit": "\(summary.exit)"])
            families.add(record.elapsed, to: "whirl_run_seconds_total")
            families.add(Double(summary.bytes), to: "whirl_body_bytes_total")
            families.add(Double(summary.wasted), to: "whirl_wasted_bytes_total")
        }
    }

    private mutating func take(_ event: TaskEvent, _ id: TaskID, _ elapsed: Double) {
        switch event {
        case .resumed: if began[id] == nil { began[id] = elapsed }
        case .attempt: families.add(1, to: "whirl_attempts_total")
        case .redirected: families.add(1, to: "whirl_redirects_total")
        case .retrying(_, let error): families.add(1, to: "whirl_retries_total", ["code": error.code.rawValue])
        case .restarted(let reason): families.add(1, to: "whirl_restarts_total", ["reason": reason])
        case .ended(let outcome):
            end(outcome)
            guard let began = began.removeValue(forKey: id) else { return }
            families.observe(elapsed - began, in: "whirl_task_seconds", Self.bounds)
        case .progress, .suspended, .canceling: break
        }
    }

    private mutating func end(_ outcome: TaskOutcome) {
        switch outcome {
        case .completed(let completion):
            families.add(1, to: "whirl_tasks_total", ["outcome": "completed"])
            if let timings = completion.timings { take(timings) }
        case .failed(let error):
            families.add(1, to: "whirl_tasks_total", ["outcome": "failed"])
            var labels = ["code": error.code.rawValue]
            if let status = error.status { labels["status"] = "\(status)" }
            families.add(1, to: "whirl_failures_total", labels)
        case .skipped: families.add(1, to: "whirl_tasks_total", ["outcome": "skipped"])
        case .cancelled: families.add(1, to: "whirl_tasks_total", ["outcome": "cancelled"])
        }
    }

    private mutating func take(_ timings: ExchangeTimings) {
        let parts = [
            ("blocked", timings.blocked), ("dns", timings.dns), ("connect", timings.connect), ("ssl", timings.ssl),
            ("send", timings.send), ("wait", timings.wait), ("receive", timings.receive),
        ]
        for (part, milliseconds) in parts {
            guard let milliseconds else { continue }
            families.sum(milliseconds / 1000, in: "whirl_exchange_seconds", ["part": part])
        }
    }

    /// All of it.
    public var text: String { families.text }
}
