import WhirlCore

/// The smallest task that is a real transfer: one exchange, reported as it comes.
final class ExchangeTask: TransferTask, ExchangeHandler {
    let core = TaskCore()
    let received = Record<[UInt8]>()
    private let transport: any Transport
    private let exchange = Locked<(any Exchange)?>(nil)
    private let hasStarted = Counter()

    init(_ transport: any Transport) { self.transport = transport }

    var life: TaskLife { core.life }

    func resume() {
        guard core.resume() else { return }
        guard hasStarted.up() == 1 else {
            exchange.value?.unpause()
            return
        }
        core.beginAttempt()
        let begun = transport.start(ExchangeRequest(url: "http://localhost/file"), self)
        exchange.value = begun
        if core.snapshot.state == .canceling { begun.cancel() }  // asked for before there was a handle
    }

    func suspend() {
        guard core.suspend() else { return }
        exchange.value?.pause()
    }

    func cancel() {
        guard core.cancel() else { return }
        exchange.value?.cancel()
    }

    // MARK: what the transport tells

    func enter(_ phase: TaskPhase) { core.enter(phase) }

    func head(_ head: ResponseHead) -> HeadVerdict {
        core.report(received: 0, total: head["Content-Length"].flatMap { Int64($0) }, phase: .receiving)
        return .accept
    }

    func body(_ bytes: borrowing RawSpan) -> BodyVerdict {
        let now = core.snapshot
        guard now.state != .suspended else { return .full }
        received.append((0..<bytes.byteCount).map { unsafe bytes.unsafeLoad(fromByteOffset: $0, as: UInt8.self) })
        core.report(received: now.progress.received + Int64(bytes.byteCount), total: now.progress.total)
        return .more
    }

    func end(_ outcome: ExchangeOutcome) {
        switch outcome.result {
        case .finished: core.end(core.snapshot.state == .canceling ? .ended : .done)
        case .cancelled: core.end(.ended)
        case .failed(let error): core.end(.failed(error))
        }
    }
}
