import Synchronization
import WhirlCore

/// A task of a session.
///
/// What can change is in the session's state; this is its name, its life and its commands.
final class SessionTask: TransferTask {
    let core = TaskCore()
    let request: TransferRequest
    let destination: Destination
    /// Nil for a request that was refused.
    let source: SourceURL?
    /// Other URLs of the same bytes.
    let mirrors: [SourceURL]
    private let session: Session
    private let head = Mutex<ResponseHead?>(nil)
    /// The session's own, until the terminal event has been delivered.
    private let observation = Mutex<Observation?>(nil)

    init(
        _ request: TransferRequest, _ destination: Destination, _ source: SourceURL?, _ mirrors: [SourceURL] = [],
        session: Session
    ) {
        self.request = request
        self.destination = destination
        self.source = source
        self.mirrors = mirrors
        self.session = session
    }

    /// Whose slots it takes.
    var host: String { source?.host ?? "" }

    /// One of its URLs: 0 is its own.
    func source(_ mirror: Int) -> SourceURL? { mirror == 0 ? source : mirrors[mirror - 1] }

    var id: TaskID { core.id }
    var life: TaskLife { core.life }

    /// For whoever looks: what decides is the attempt's own.
    var answer: ResponseHead? { head.withLock { $0 } }
    func keep(_ answer: ResponseHead) { head.withLock { $0 = answer } }

    func keep(_ observation: Observation) { self.observation.withLock { $0 = observation } }
    func forgetObservation() {
        let gone = observation.withLock { $0.take() }
        withExtendedLifetime(gone) {}
    }

    func resume() { session.resume(id) }
    func suspend() { session.suspend(id) }
    func cancel() { session.cancel(id, reason: "user") }
}
