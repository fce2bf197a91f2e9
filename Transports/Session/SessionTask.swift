import WhirlCore

/// A task of a session.
///
/// What can change is in the session's state; this is its name, its life and its commands.
final class SessionTask: TransferTask {
    let core = TaskCore()
    let request: TransferRequest
    let destination: Destination
    /// Whose slots it takes.
    let host: String
    private let session: Session

    init(_ request: TransferRequest, _ destination: Destination, host: String, session: Session) {
        self.request = request
        self.destination = destination
        self.host = host
        self.session = session
    }

    var id: TaskID { core.id }
    var life: TaskLife { core.life }

    func resume() { session.resume(id) }
    func suspend() { session.suspend(id) }
    func cancel() { session.cancel(id, reason: "user") }
}
