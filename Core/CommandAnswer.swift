/// What a run says to a command that a program sent it.
public struct CommandAnswer: Equatable, Sendable {
    /// What the program calls its command.
    public enum Name: Equatable, Sendable {
        case number(Int64)
        case text(String)
    }

    /// The command's name, so that its sender knows it again; nil when it has none, or none that could be read.
    public var id: Name?
    /// The task that the command has made; nil when it makes none.
    public var task: TaskID?
    /// Why it was not done; nil when it was.
    public var error: TransferError?

    /// An answer.
    public init(id: Name?, task: TaskID? = nil, error: TransferError? = nil) {
        self.id = id
        self.task = task
        self.error = error
    }
}
