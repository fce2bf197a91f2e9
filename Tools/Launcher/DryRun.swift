import Glibc
import WhirlBoard
import WhirlCore
import WhirlSession

/// A run that only says what it would do: nothing is written, and no server is asked.
struct DryRun {
    private let plan: RunPlan
    private var preview: Preview
    private var tally = PlanTally()
    /// The exit code of the worst that was found.
    private var exit: Int32 = 0

    /// Of what `plan` would do.
    init(_ plan: RunPlan) throws(CommandError) {
        self.plan = plan
        var configuration = plan.configuration
        if let setting = plan.journal {
            do {
                let keys = try Journal.peek(setting.value.description)
                configuration.isDone = { keys.contains($0) }
            } catch {
                throw CommandError("\(setting.origin): \(error.message)", exit: error.exit)
            }
        }
        preview = Preview(configuration)
    }

    /// Says it.
    mutating func perform() async throws(CommandError) -> Run.Ending {
        let records = try plan.frontends.stream.map { part throws(CommandError) in try PlanRecords(part, plan) }
        do {
            try await perform(records ?? PlanLines())
        } catch {
            if error.isReaderGone { return Run.Ending(exit: 141) }
            throw CommandError("the standard output can't be written: \(error); write it to another place", exit: 3)
        }
        return Run.Ending(exit: exit)
    }

    private mutating func perform(_ writer: any PlanWriter) async throws(LineWriter.Failure) {
        for warning in plan.warnings { await writer.warn(warning) }
        var feed = InputFeed(plan.inputs)
        while let event = await feed.next() {
            switch event {
            case .request(let request, let place, _):
                var task = preview.plan(request)
                if case .fail(var error) = task.action, error.code == .usage {
                    error.message = "\(place)\(error.message)"
                    task.action = .fail(error)
                }
                try await tell(task, writer)
            case .wrong(let error, let url):
                let error = TransferError(.usage, error.message.text)
                try await tell(preview.refusal(TransferRequest(url), error), writer)
            case .warning(let sentence): await writer.warn(sentence)
            case .broken(let error):
                exit = ExitCode.worse(exit, 3)
                await writer.warn(error.message)
            }
        }
        if feed.count == 0 {
            exit = ExitCode.worse(exit, 2)
            await writer.warn("there is no URL; give one, or a list with -i FILE")
        }
        exit = try await writer.finish(tally, exit: exit)
    }

    private mutating func tell(_ task: PlannedTask, _ writer: any PlanWriter) async throws(LineWriter.Failure) {
        tally.count(task)
        if case .fail(let error) = task.action { exit = ExitCode.worse(exit, error.code.exit) }
        try await writer.tell(task)
    }
}
