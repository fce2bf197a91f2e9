public import WhirlCore
public import WhirlLoopback

/// Something that servers do wrong, and what has to come of it.
public struct Fault: Sendable {
    /// How an exchange, or a task, ends.
    public enum Ending: Equatable, Sendable, CustomStringConvertible {
        case finishes
        case fails(TransferError.Code)
        /// It goes on until it is cancelled: a transport times nothing.
        case waits
        /// It takes the process down with it.
        case dies

        /// A word or two for a table.
        public var description: String {
            switch self {
            case .finishes: "finishes"
            case .fails(let code): "`\(code)`"
            case .waits: "waits"
            case .dies: "**dies**"
            }
        }
    }

    /// A short name that stays.
    public let id: String
    /// What the server does.
    public let words: String
    /// How it does it.
    public let route: Route
    /// How many heads a handler is given.
    public let heads: Int
    /// What an exchange comes to, over any transport but those below.
    public let ending: Ending
    /// What it comes to over the transports of these names, because of what they are built on.
    public let exceptions: [String: Ending]
    /// What a task comes to, with one try, where that is another ending.
    public let task: Ending?

    init(
        _ id: String, _ words: String, _ route: Route, _ ending: Ending, heads: Int = 0, task: Ending? = nil,
        urlsession: Ending? = nil
    ) {
        self.id = id
        self.words = words
        self.route = route
        self.heads = heads
        self.ending = ending
        self.task = task
        exceptions = urlsession.map { ["urlsession": $0] } ?? [:]
    }

    /// What an exchange comes to over the transport of that name.
    public func ending(over transport: String) -> Ending { exceptions[transport] ?? ending }

    /// What a task with one try comes to over the transport of that name.
    public func taskEnding(over transport: String) -> Ending {
        let exchange = ending(over: transport)
        guard exceptions[transport] == nil, let task else { return exchange }
        return task
    }
}
