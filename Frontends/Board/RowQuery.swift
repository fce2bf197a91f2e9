/// Which rows are looked at, and in what order.
public struct RowQuery: Equatable, Sendable {
    /// What rows are ordered by.
    public enum Order: String, CaseIterable, Sendable {
        /// The groups, see ``RowGroup``.
        case state
        /// The name, by its characters.
        case name
        /// The fastest first.
        case speed
        /// The largest first: by the total, or by the bytes in hand while that is unknown.
        case size
    }

    /// What rows are ordered by.
    public var order = Order.state
    /// Part of the name or the URL, without regard to the case of ASCII; empty: all.
    public var text = ""
    /// Only rows that failed, and those that run again after a failure.
    public var isOnlyErrors = false

    /// All rows by their groups.
    public init() {}

    /// Whether rows come as they lie, so that a look costs the same however many there are.
    var isPlain: Bool { order == .state && text.isEmpty && !isOnlyErrors }

    func admits(_ row: Row) -> Bool {
        if isOnlyErrors, row.group != .failed, row.outcome != nil || row.error == nil { return false }
        guard !text.isEmpty else { return true }
        let part = text.utf8.map(lower)
        return holds(row.name, part) || holds(row.url, part)
    }
}

private func lower(_ byte: UInt8) -> UInt8 { (0x41...0x5A).contains(byte) ? byte | 0x20 : byte }

/// By bytes: ten thousand rows are gone through while somebody types.
private func holds(_ text: String, _ part: [UInt8]) -> Bool {
    let bytes = text.utf8.span
    guard bytes.count >= part.count else { return false }
    for start in 0...(bytes.count - part.count) {
        var length = 0
        while length < part.count, lower(bytes[start + length]) == part[length] { length += 1 }
        if length == part.count { return true }
    }
    return false
}
