/// How far a transfer is.
public struct TransferProgress: Equatable, Sendable {
    /// Bytes in hand: the offset the attempt began at and what it has received since.
    public var received: Int64

    /// Bytes in hand when all is done; nil while unknown.
    public var total: Int64?

    /// True only once the task has completed with success.
    public internal(set) var isComplete = false

    /// A progress of a transfer that goes on.
    public init(received: Int64 = 0, total: Int64? = nil) {
        self.received = received
        self.total = total
    }

    /// Within 0...1, never NaN; below 1 until the task has completed; nil (indeterminate) while the total is unknown.
    public var fraction: Double? {
        if isComplete { return 1 }
        guard let total else { return nil }
        guard total > 0, received > 0 else { return 0 }
        return min(Double(received) / Double(total), (1.0).nextDown)
    }
}
