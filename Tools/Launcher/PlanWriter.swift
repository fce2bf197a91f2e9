import Glibc
import WhirlBoard
import WhirlCore
import WhirlSession

/// Shows a plan while it is made.
protocol PlanWriter {
    func tell(_ task: PlannedTask) async throws(LineWriter.Failure)
    func warn(_ sentence: Sentence) async
    /// The exit code in the end.
    func finish(_ tally: PlanTally, exit: Int32) async throws(LineWriter.Failure) -> Int32
}

/// A plan as lines on the standard output, and its sum on the standard error.
struct PlanLines: PlanWriter {
    private let output = LineWriter(STDOUT_FILENO)

    func tell(_ task: PlannedTask) throws(LineWriter.Failure) {
        try output.write(Array((Self.line(task) + "\n").utf8))
    }

    func warn(_ sentence: Sentence) { Output.complain(sentence) }

    func finish(_ tally: PlanTally, exit: Int32) -> Int32 {
        Output.complain(tally.sentence)
        return exit
    }

    /// `fetch     URL -> PATH  why`.
    static func line(_ task: PlannedTask) -> String {
        let (word, note): (String, String?) =
            switch task.action {
            case .fetch(nil): ("fetch", nil)
            case .fetch(let reason?): ("fetch", "from the beginning: \(reason)")
            case .resume(let offset, let total):
                ("continue", "from \(Units.bytes(offset))" + (total.map { " of \(Units.bytes($0))" } ?? ""))
            case .refresh: ("refresh", "if the server has a newer one")
            case .skip(let reason): ("skip", reason)
            case .fail(let error): ("fail", error.message)
            }
        let padding = String(repeating: " ", count: max(0, 9 - word.utf8.count))
        let place = "\(task.description.url) -> \(task.description.destination)"
        return clean("\(word)\(padding) \(place)" + (note.map { "  \($0)" } ?? ""))
    }
}

/// A plan as records on the standard output.
struct PlanRecords: PlanWriter {
    private let frontend: any Frontend
    private let clock = SystemClock()
    private let began: UInt64
    /// So many bytes may wait to be written.
    private static let most = 4 << 20

    init(_ part: FrontendPlan.Part, _ plan: RunPlan) throws(CommandError) {
        do {
            frontend = try part.plugin.make(part.context)
            try frontend.open { _ in }
        } catch {
            throw CommandError("\(part.origin): \(ExitStatus.sentence(error))", exit: ExitStatus.of(error))
        }
        began = clock.now
        let configuration = plan.configuration
        record(
            .run(
                RunDescription(
                    version: configuration.version, transport: configuration.transportName, jobs: configuration.jobs)))
    }

    private func record(_ event: RunEvent) {
        frontend.receive(RunRecord(elapsed: Double(clock.now &- began) / 1e9, time: clock.wall, event: event))
    }

    func tell(_ task: PlannedTask) async {
        // Whoever reads may be slow.
        while frontend.backlog > Self.most { try? await Task.sleep(for: .milliseconds(5)) }
        record(.planned(task))
    }

    func warn(_ sentence: Sentence) { record(.warning(sentence.text)) }

    func finish(_ tally: PlanTally, exit: Int32) -> Int32 {
        var summary = RunSummary()
        summary.exit = exit
        record(.end(summary))
        guard let trouble = frontend.close() else { return exit }
        if case .notWritten(let reason) = trouble { Output.complain(Sentence(trusting: reason)) }
        return ExitStatus.after(exit, [trouble])
    }
}
