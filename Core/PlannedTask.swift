/// What would become of a request: told by a run that only plans.
public struct PlannedTask: Equatable, Sendable {
    /// What would be done.
    public enum Action: Equatable, Sendable {
        /// The file would be fetched; `restart` says why bytes that are in hand would be of no use, nil: there are none.
        case fetch(restart: String?)
        /// It would go on with so many bytes in hand, of so many where that is known, if the server proves that they fit.
        case resume(offset: Int64, total: Int64?)
        /// It would be fetched again where the server has a newer one.
        case refresh
        /// Nothing would be done.
        case skip(reason: String)
        /// It would fail.
        case fail(TransferError)
    }

    /// The task that would be.
    public var description: TaskDescription
    /// What would be done.
    public var action: Action

    /// A plan.
    public init(_ description: TaskDescription, _ action: Action) {
        self.description = description
        self.action = action
    }
}
