import Synchronization

/// Names one task: unique in the process, never reused, never an address or a transport's number.
public struct TaskID: Hashable, Comparable, Sendable {
    /// From 1 upwards.
    public let number: UInt64

    /// A name read from a recorded stream.
    public init(number: UInt64) { self.number = number }

    /// By number, which is the order in which the tasks were made.
    public static func < (one: TaskID, other: TaskID) -> Bool { one.number < other.number }

    private static let last = Atomic<UInt64>(0)

    static func next() -> TaskID { TaskID(number: last.wrappingAdd(1, ordering: .relaxed).newValue) }
}
