/// Where a request stands.
struct InputPlace: Sendable, CustomStringConvertible {
    /// The list's name; nil for an argument.
    var list: String?
    /// From 1.
    var line = 0

    /// `FILE:LINE: `, and nothing for an argument.
    var description: String { list.map { "\($0):\(line): " } ?? "" }
}
