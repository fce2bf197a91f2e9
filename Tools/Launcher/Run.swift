import Glibc
import Synchronization
import WhirlCore
import WhirlSession

/// One run of a plan, from the first request to the exit code.
final class Run: Sendable {
    /// How it went.
    struct Ending: Sendable {
        /// The process's exit code.
        var exit: Int32
        /// The signal that ended the run, if one did.
        var signal: Int32?
        var summary = RunSummary()
    }

    private struct State {
        var session: Session?
        /// The file of earlier runs that this one goes on with.
        var journal: Journal?
        /// Where commands come from.
        var commands: (any CommandSource)?
        /// The first signal.
        var signal: Int32?
        /// The code that `end` has told; nothing changes it after that.
        var told: Int32?
        /// The worst of what the launcher itself has found.
        var worst: Int32 = 0
        var complaints: [Sentence] = []
        /// No more requests are wanted.
        var isStopping = false
        /// The first INT has let what runs go on.
        var isDraining = false
        /// Every request was taken.
        var isFed = false
        /// The one whose bytes go to the standard output.
        var body: (any TransferTask)?
    }

    private let plan: RunPlan
    /// Makes the exit code of a run out of that of its worst part.
    private let judge: @Sendable (RunSummary, Int32) -> Int32
    private let state = Mutex(State())
    private let (fed, feeding) = AsyncStream<Never>.makeStream()
    /// No more commands can come.
    private let (heard, hearing) = AsyncStream<Never>.makeStream()

    init(_ plan: RunPlan, judge: @escaping @Sendable (RunSummary, Int32) -> Int32 = { $1 }) {
        self.plan = plan
        self.judge = judge
    }

    /// Performs the run.
    ///
    /// Throws when it can't begin.
    func perform() async throws(CommandError) -> Ending {
        Signals.watch { [self] in receive($0) }
        let session = try begin()
        let (isStopping, isDraining) = state.withLock { state in
            state.session = session
            return (state.signal != nil, state.isDraining)
        }
        if isStopping { stop() } else if isDraining { drain() }
        try hear(session)
        let warnings = plan.warnings + (state.withLock { $0.journal }?.warnings ?? [])
        for warning in warnings { session.warn(warning.text) }
        Task { [self] in
            await feed(session)
            // Where nothing else says what to transfer, commands will.
            if plan.inputs.isEmpty { for await _ in heard {} }
            feeding.finish()
        }
        // A person, a deadline or a failure may have closed the run: what is not read yet is not wanted any more.
        Task { [self] in
            await session.closing()
            abandon()
        }
        for await _ in fed {}
        let (summary, troubles) = await session.finish { [self] in told($0) }
        return end(summary, troubles)
    }

    /// A session that programs can send commands to, if they are to.
    private func begin() throws(CommandError) -> Session {
        let journal = try plan.openJournal()
        let commands = try plan.commands()
        state.withLock { ($0.journal, $0.commands) = (journal, commands) }
        do throws(CommandError) {
            return try session(plan.frontends, commands)
        } catch {
            commands?.abandon()
            throw error
        }
    }

    /// Begins to take commands.
    private func hear(_ session: Session) throws(CommandError) {
        guard let commands = state.withLock({ $0.commands }) else { return hearing.finish() }
        let desk = ControlDesk(session: session, plan: plan)
        do {
            try commands.begin(
                take: { desk.take($0) },
                ended: { [hearing] reason in
                    desk.end(reason)
                    hearing.finish()
                })
        } catch {
            throw CommandError(ExitStatus.sentence(error), exit: error.code.exit)
        }
    }

    /// A session over the frontends, or over the substitute's when those can't work here.
    private func session(
        _ frontends: FrontendPlan, _ commands: (any CommandSource)?
    ) throws(CommandError) -> Session {
        do throws(CommandError) {
            return try attempt(frontends, commands)
        } catch {
            guard let substitute = frontends.withSubstitute else { throw error }
            try plan.checkPause(substitute)
            return try attempt(substitute, commands)
        }
    }

    private func attempt(
        _ frontends: FrontendPlan, _ commands: (any CommandSource)?
    ) throws(CommandError) -> Session {
        do {
            // First: what it can't work with is found before a frontend has opened anything.
            let transport = try plan.transport.make(plan.context)
            let journal = state.withLock { $0.journal }
            var configuration = plan.configuration
            if let journal { configuration.isDone = { journal.keys.contains($0) } }
            let streams = try journal.map { journal throws(CommandError) in [try plan.writer(of: journal)] } ?? []
            return try Session(
                transport: transport, configuration: configuration,
                frontends: frontends.make() + streams + [commands].compactMap(\.self), check: plan.requestCheck)
        } catch let error as CommandError {
            throw error
        } catch {
            throw CommandError(ExitStatus.sentence(error), exit: ExitStatus.of(error))
        }
    }

    // MARK: - Requests

    private func feed(_ session: Session) async {
        var feed = InputFeed(plan.inputs)
        while let event = await feed.next() {
            switch event {
            case .request(let request, let place, let admission):
                if !session.hasRoom { await session.room() }
                guard accepts() else { return }
                add(request, admission, to: session, at: place)
            case .wrong(let error, let url):
                if !session.hasRoom { await session.room() }
                guard accepts() else { return }
                // What is wrong in a list that has begun is a task that fails: the run goes on.
                session.addAnyway(TransferRequest(url), failure: TransferError(.usage, error.message.text))
            case .warning(let sentence): session.warn(sentence.text)
            case .broken(let error): complain(error.message, 3)
            }
        }
        let isEmpty = state.withLock { !$0.isStopping && feed.count == 0 && $0.complaints.isEmpty }
        if isEmpty, let name = plan.inputs.streams.first?.name {
            complain("\(name): no URL in it; write one a line", 2)
        }
        state.withLock { $0.isFed = true }
    }

    private func add(
        _ request: TransferRequest, _ admission: RequestCheck.Admission?, to session: Session, at place: InputPlace
    ) {
        do {
            let task = try session.add(request, admission: admission)
            if request.destination == .standardOutput { state.withLock { $0.body = task } }
        } catch {
            var error = error
            error.message = "\(place)\(error.message)"
            session.addAnyway(request, failure: error)
        }
    }

    /// False when no more requests are wanted.
    private func accepts() -> Bool { state.withLock { !$0.isStopping } }

    /// Keeps a sentence for the end, when the terminal is free again.
    private func complain(_ message: Sentence, _ exit: Int32) {
        state.withLock { state in
            state.worst = ExitCode.worse(state.worst, exit)
            state.complaints.append(message)
        }
    }

    // MARK: - The end

    private enum Answer { case drain, stop, leave, nothing }

    /// The first signal ends the run in order, an INT after it at once; where wanted the first INT only drains it.
    private func receive(_ number: Int32) {
        let answer = state.withLock { state -> Answer in
            guard state.signal == nil, state.told == nil else { return number == SIGINT ? .leave : .nothing }
            if number == SIGINT, plan.onInterrupt == .drain, !state.isDraining {
                state.isDraining = true
                return .drain
            }
            state.signal = number
            return .stop
        }
        switch answer {
        case .drain: drain()
        case .stop: stop()
        case .leave:
            Registry.giveTerminalBack()
            state.withLock { $0.commands }?.abandon()
            _exit(ExitStatus.of(signal: SIGINT))
        case .nothing: break
        }
    }

    private func drain() {
        let session = state.withLock { $0.session }
        session?.warn("interrupted: what runs may end, nothing else starts; another Ctrl-C ends the run")
        session?.perform(.drain)
        abandon()
    }

    private func stop() {
        state.withLock { $0.session }?.perform(.quit(reason: "signal"))
        abandon()
    }

    /// Reads no more lists.
    private func abandon() {
        state.withLock { $0.isStopping = true }
        feeding.finish()
    }

    /// The exit code that `end` tells.
    private func told(_ summary: RunSummary) -> Int32 {
        state.withLock { state in
            if let told = state.told { return told }
            // What was left unread is unfinished too.
            if !state.isFed { state.worst = ExitCode.worse(state.worst, 5) }
            let code = judge(summary, ExitCode.worse(summary.exit, state.worst))
            let hasReader = state.body?.life.snapshot.outcome != .cancelled(reason: "broken_pipe")
            let told =
                state.signal.map(ExitStatus.of(signal:)) ?? ExitStatus.after(code, hasReader ? [] : [.readerGone])
            state.told = told
            return told
        }
    }

    private func end(_ summary: RunSummary, _ troubles: [FrontendTrouble]) -> Ending {
        let code = told(summary)
        let (signal, complaints) = state.withLock { ($0.signal, $0.complaints) }
        for complaint in complaints { Output.complain(complaint) }
        Output.complain(of: troubles)
        let isBySignal = signal.map { ExitStatus.of(signal: $0) == code } ?? false
        return Ending(
            exit: ExitStatus.after(code, troubles), signal: isBySignal ? signal : nil, summary: summary)
    }
}
