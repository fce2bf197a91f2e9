import WhirlCore

/// A frontend that also tells the launcher when somebody at it wants to quit: a list may have to be left unread.
final class QuitTap: Frontend {
    private let inner: any Frontend
    private let onQuit: @Sendable () -> Void

    init(_ inner: any Frontend, onQuit: @escaping @Sendable () -> Void) {
        self.inner = inner
        self.onQuit = onQuit
    }

    var backlog: Int { inner.backlog }

    func open(_ commands: @escaping @Sendable (RunCommand) -> Void) throws {
        let onQuit = onQuit
        try inner.open { command in
            commands(command)
            if case .quit = command { onQuit() }
        }
    }

    func follow(_ task: any TransferTask) { inner.follow(task) }
    func receive(_ record: RunRecord) { inner.receive(record) }
    func close() -> FrontendTrouble? { inner.close() }
}
