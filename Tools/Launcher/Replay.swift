import Glibc
import Synchronization
import WhirlBoard
import WhirlCore
import WhirlJSONLines
import WhirlSession

/// `whirl replay`: shows a recorded or live stream on any frontend.
final class Replay: Sendable {
    private struct State {
        /// Something is shown: it takes an end in order.
        var hasBegun = false
        /// Why it stops early; nil while it does not.
        var reason: String?
        var signal: Int32?
    }
    /// More may not wait to be shown.
    private static let mostBacklog = 64 << 20
    private let frontends: FrontendPlan
    private let path: String
    private let speed: Double?
    private let waker: Waker
    private let state = Mutex(State())

    /// A replay of that stream; `speed` in seconds of the run in one of ours, 0 without waiting, nil as it comes:
    /// a file at its own speed, a pipe at once.
    init(_ frontends: FrontendPlan, path: String, speed: Double?) throws(CommandError) {
        self.frontends = frontends
        self.path = path
        self.speed = speed
        do {
            waker = try Waker()
        } catch {
            throw CommandError("\(ExitStatus.sentence(error))", exit: ExitStatus.of(error))
        }
    }

    /// Shows the stream to its end.
    ///
    /// Throws when it is no stream, before anything is shown.
    func perform() async throws(CommandError) -> Run.Ending {
        Signals.watch { [self] in receive($0) }
        let result = await withCheckedContinuation { continuation in
            Thread.detach { [self] in
                let result: Result<Run.Ending, CommandError> = Result { () throws(CommandError) in try play() }
                continuation.resume(returning: result)
            }
        }
        return try result.get()
    }

    private func play() throws(CommandError) -> Run.Ending {
        var source = try StreamSource(path)
        // First: what is no stream opens no screen.
        var items = try beginning(of: &source)
        state.withLock { $0.hasBegun = true }
        let isLive = source.isLive && speed == nil
        let clock = ReplayClock(speed: speed ?? 1, real: monotonicNanoseconds)
        let shown = try open(clock)
        var playback = Playback(
            follow: { task in for frontend in shown { frontend.follow(task) } },
            receive: { record in for frontend in shown { frontend.receive(record) } })
        var failure: CommandError?
        do throws(CommandError) {
            while !isStopped {
                for item in items {
                    pass(to: item, playback, clock, waits: !isLive)
                    playback.play(item)
                }
                hold(shown)
                guard let next = try source.next(unless: waker) else { break }
                items = [next]
            }
        } catch {
            failure = error
        }
        return end(&playback, shown, failure)
    }

    /// All to the first record of type `run`.
    private func beginning(of source: inout StreamSource) throws(CommandError) -> [RecordReader.Item] {
        var items: [RecordReader.Item] = []
        while let item = try source.next(unless: waker) {
            items.append(item)
            if case .record(let record) = item, case .run = record.event { break }
        }
        return items
    }

    /// The plan's frontends, or the substitute's when those can't work here.
    private func open(_ clock: ReplayClock) throws(CommandError) -> [any Frontend] {
        var plan = frontends
        plan.go(by: { clock.now })
        do throws(CommandError) {
            return try open(plan)
        } catch {
            guard let plan = plan.withSubstitute else { throw error }
            return try open(plan)
        }
    }

    private func open(_ plan: FrontendPlan) throws(CommandError) -> [any Frontend] {
        let made = try plan.make()
        var opened: [any Frontend] = []
        do {
            for frontend in made {
                try frontend.open { [self] in perform($0) }
                opened.append(frontend)
            }
        } catch {
            for frontend in opened { _ = frontend.close() }
            throw CommandError(ExitStatus.sentence(error), exit: ExitStatus.of(error))
        }
        return made
    }

    // MARK: time

    /// Returns when the record is due, or nobody wants it any more.
    private func pass(to item: RecordReader.Item, _ playback: Playback, _ clock: ReplayClock, waits: Bool) {
        guard case .record(let record) = item else { return }
        let due = playback.due(record)
        while waits, !isStopped {
            let left = clock.wait(for: due)
            guard left > 0 else { break }
            waker.wait(atMost: left)
        }
        clock.arrive(at: due)
    }

    /// Whoever shows it can't keep up: what waits takes memory.
    private func hold(_ frontends: [any Frontend]) {
        while !isStopped, frontends.reduce(0, { $0 + $1.backlog }) > Self.mostBacklog { waker.wait(atMost: 0.01) }
    }

    // MARK: the end

    private var isStopped: Bool { state.withLock { $0.reason != nil } }

    /// Of what a person can ask for, only leaving makes sense: what is past can't be changed.
    private func perform(_ command: RunCommand) {
        switch command {
        case .quit(let reason): stop(reason)
        case .drain: stop("user")
        case .suspend, .resume, .resumeAll, .cancel, .retry, .setJobs, .setRate: break
        }
    }

    private func stop(_ reason: String, signal: Int32? = nil) {
        state.withLock { state in
            state.reason = state.reason ?? reason
            state.signal = state.signal ?? signal
        }
        waker.wake()
    }

    private func receive(_ number: Int32) {
        let (isFirst, hasBegun) = state.withLock { ($0.signal == nil, $0.hasBegun) }
        // Nobody may ever write into the FIFO that it waits for.
        guard hasBegun else { Signals.end(by: number) }
        if isFirst { return stop("signal", signal: number) }
        guard number == SIGINT else { return }
        Registry.giveTerminalBack()
        _exit(ExitStatus.of(signal: SIGINT))
    }

    private func end(
        _ playback: inout Playback, _ frontends: [any Frontend], _ failure: CommandError?
    ) -> Run.Ending {
        let (reason, signal) = state.withLock { ($0.reason, $0.signal) }
        let code = failure?.exit ?? signal.map(ExitStatus.of(signal:)) ?? 0
        // An early end is told as the run's own; to its own end it is the recorded one.
        playback.finish(early: reason, exit: reason == nil ? nil : reason == "broken_pipe" ? 141 : code)
        let troubles = frontends.compactMap { $0.close() }
        if let failure { Output.complain(failure.message) }
        Output.complain(of: troubles)
        return Run.Ending(exit: ExitStatus.after(code, troubles), signal: signal)
    }
}
