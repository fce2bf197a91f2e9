import WhirlCore
import WhirlSession

/// Does what programs ask of a run, and answers.
struct ControlDesk: Sendable {
    /// More unfinished transfers than that no program may add to: each takes memory.
    private static let mostUnfinished = 100_000

    let session: Session
    let plan: RunPlan

    /// Does what a line says; nil is one that was too long, and one that is empty says nothing.
    func take(_ line: [UInt8]?) {
        if let line, line.allSatisfy({ $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }) { return }
        let line = ControlCommand.read(line)
        do throws(TransferError) {
            guard case .success(let command) = line.command else {
                if case .failure(let error) = line.command { throw Self.usage(error.message) }
                return
            }
            switch command {
            // These may end the run, and an answer comes before its end.
            case .drain, .quit:
                session.answer(CommandAnswer(id: line.id))
                session.perform(command.isQuit ? .quit(reason: "user") : .drain)
            default: session.answer(CommandAnswer(id: line.id, task: try perform(command)))
            }
        } catch {
            session.answer(CommandAnswer(id: line.id, error: error))
        }
    }

    /// No more commands can come.
    func end(_ reason: String?) {
        if let reason { session.warn("commands can't be read any more: \(reason)") }
        guard session.isPaused, !plan.frontends.hasKeys else { return }
        session.warn("no more commands can come; what is paused stays so until Ctrl-C ends the run")
    }

    /// The task that was made, if one was.
    private func perform(_ command: ControlCommand) throws(TransferError) -> TaskID? {
        switch command {
        case .suspend(let target): try perform(target, session.unfinished, RunCommand.suspend)
        case .resume(.all): session.perform(.resumeAll)
        case .resume(let target): try perform(target, [], RunCommand.resume)
        case .cancel(let target): try perform(target, session.unfinished, RunCommand.cancel)
        case .retry(let target): try perform(target, session.failures, RunCommand.retry)
        case .add(let request): return try add(request)
        case .set(let jobs, let rate): try set(jobs, rate)
        case .drain, .quit: break
        }
        return nil
    }

    private func perform(
        _ target: ControlCommand.Target, _ all: @autoclosure () -> [TaskID], _ command: (TaskID) -> RunCommand
    ) throws(TransferError) {
        switch target {
        case .all: for id in all() { session.perform(command(id)) }
        case .task(let id):
            guard session.knows(id) else { throw Self.usage("there is no task \(id.number); its number is in created") }
            session.perform(command(id))
        }
    }

    private func add(_ request: TransferRequest) throws(TransferError) -> TaskID {
        guard !session.isClosing else { throw Self.usage("the run takes no more transfers; start another") }
        guard session.unfinishedCount < Self.mostUnfinished else {
            throw Self.usage("\(Self.mostUnfinished) transfers are unfinished; add more when some have ended")
        }
        return try session.add(plan.inputs.completeAdded(request)).life.id
    }

    private func set(_ jobs: Int?, _ rate: ControlCommand.Rate?) throws(TransferError) {
        if rate != nil, !plan.transport.capabilities.contains(.backpressure) {
            throw TransferError(
                .unsupported, "the transport \(plan.transport.name) can't limit rates; start the run with another (-t)")
        }
        if let jobs { session.perform(.setJobs(jobs)) }
        switch rate {
        case .unlimited?: session.perform(.setRate(nil))
        case .bytes(let bytes)?: session.perform(.setRate(bytes))
        case nil: break
        }
    }

    private static func usage(_ message: Sentence) -> TransferError { TransferError(.usage, message.text) }
}

extension ControlCommand {
    fileprivate var isQuit: Bool { if case .quit = self { true } else { false } }
}
