import WhirlCore

/// Where a program's commands come from, and where it may see what they do.
protocol CommandSource: Frontend {
    /// Begins to take lines, nil for one that is too long; `ended` is called when no more can come.
    func begin(
        take: @escaping @Sendable (_ line: [UInt8]?) -> Void, ended: @escaping @Sendable (_ reason: String?) -> Void
    ) throws(TransferError)

    /// Leaves nothing behind; the process is about to end.
    func abandon()
}
