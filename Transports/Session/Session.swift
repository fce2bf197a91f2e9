public import WhirlCore

/// Turns requests into tasks over one transport.
public final class Session: Sendable {
    /// A session that shows what happens on `frontends`; they are opened here, so this throws what they throw.
    public init(
        transport: any Transport, configuration: SessionConfiguration = SessionConfiguration(),
        frontends: [any Frontend] = []
    ) throws {
    }

    /// Accepts a request: the task starts when there is a slot. Any thread.
    @discardableResult
    public func add(_ request: TransferRequest) throws(TransferError) -> any TransferTask {
        throw TransferError(.unsupported, "no session yet")
    }

    /// Returns when so few tasks wait for a slot that more may be added.
    public func room() async {}

    /// Does what a person or a program asks. Any thread, never blocks.
    public func perform(_ command: RunCommand) {}

    /// Returns when every task has ended and every frontend has shown it: sends `end` with the exit code that `exit`
    /// makes of the summary (whose own is that of the table of codes), closes the frontends and lets go of the transport.
    public func finish(
        exit: @Sendable (RunSummary) -> Int32 = { $0.exit }
    ) async -> (summary: RunSummary, troubles: [FrontendTrouble]) {
        (RunSummary(), [])
    }
}
