public import WhirlCore

/// A frontend to be judged.
public struct FrontendSubject: Sendable, CustomStringConvertible {
    /// What takes in that which a frontend writes.
    public enum Sink: Sendable {
        /// It takes all.
        case works
        /// It refuses all.
        case fails
        /// It takes nothing, and does not say so.
        case stalls
    }

    /// A frontend with its sink.
    public struct Show: Sendable {
        /// Not open as yet.
        public let frontend: any Frontend
        /// Makes the sink what it is meant to be, once the frontend is open.
        public let begin: @Sendable () -> Void
        /// All that has come out of a sink that works.
        public let output: @Sendable () -> [UInt8]
        /// Lets go whoever waits for a sink that stalls.
        public let release: @Sendable () -> Void

        /// A show.
        public init(
            _ frontend: any Frontend, begin: @escaping @Sendable () -> Void = {},
            output: @escaping @Sendable () -> [UInt8] = { [] }, release: @escaping @Sendable () -> Void = {}
        ) {
            self.frontend = frontend
            self.begin = begin
            self.output = output
            self.release = release
        }
    }

    /// Its name.
    public let name: String
    /// Makes one, with a sink of that kind.
    public let make: @Sendable (Sink) throws -> Show
    /// How often an output shows that the task of that name has completed, or failed.
    public let count: @Sendable (_ output: String, _ name: String, _ hasFailed: Bool) -> Int

    /// A subject.
    public init(
        _ name: String, count: @escaping @Sendable (_ output: String, _ name: String, _ hasFailed: Bool) -> Int,
        make: @escaping @Sendable (Sink) throws -> Show
    ) {
        self.name = name
        self.make = make
        self.count = count
    }

    /// The name.
    public var description: String { name }
}
