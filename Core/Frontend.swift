/// Something that shows a run: a screen, a log, a stream.
///
/// - It makes an indicator for each task it is told to follow and binds it as any embedder would.
/// - No call but `open` and `close` may block: they come on the threads that move bytes.
/// - What can fail is opened when the frontend is made or in `open`; later trouble is told by `close`.
public protocol Frontend: AnyObject, Sendable {
    /// Begins to show. `commands` may be called from any thread, at any time until `close` returns.
    func open(_ commands: @escaping @Sendable (RunCommand) -> Void) throws

    /// A task has its first slot: bind an indicator to it. Its `created` came before, its `resumed` comes after.
    func follow(_ task: any TransferTask)

    /// The next thing that happened. Records of one task come in order; those of two tasks may come on two threads.
    func receive(_ record: RunRecord)

    /// Bytes that wait to be shown; beyond a limit the session starts no new tasks until it falls.
    var backlog: Int { get }

    /// Shows what waits, gives the terminal back, and returns when all is done. Called once, after the last record.
    func close() -> FrontendTrouble?
}

extension Frontend {
    /// By default nothing waits.
    public var backlog: Int { 0 }
}

/// What a frontend could not show.
public enum FrontendTrouble: Equatable, Sendable {
    /// The reader of the stream went away.
    case readerGone
    /// The stream could not be written, for the reason given.
    case notWritten(String)
    /// Of a log, which the run does not depend on, something could not be written, for the reason given.
    case notLogged(String)
}
