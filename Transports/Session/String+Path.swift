extension StringProtocol where UTF8View: BidirectionalCollection {
    /// The last slash: to the system it parts a path whatever follows it, even what would combine with it in a text.
    var lastSlash: Index? { utf8.lastIndex(of: 0x2F) }
    /// Where the last segment of a path begins.
    var nameStart: Index { lastSlash.map { utf8.index(after: $0) } ?? startIndex }
}
