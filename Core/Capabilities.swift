/// What a transport can do beyond exchanging bytes.
public struct Capabilities: OptionSet, Sendable, CustomStringConvertible {
    /// One bit for each capability.
    public let rawValue: UInt32

    /// A set from its bits.
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// `pause()` holds the body back on the same connection.
    public static let pause = Capabilities(rawValue: 1 << 0)
    /// A body verdict `full` holds back that exchange alone, with flat memory.
    public static let backpressure = Capabilities(rawValue: 1 << 1)
    /// Phases before the head are reported.
    public static let phases = Capabilities(rawValue: 1 << 2)
    /// Outcomes carry timings.
    public static let timings = Capabilities(rawValue: 1 << 3)
    /// An encoded body is given as sent.
    public static let rawBody = Capabilities(rawValue: 1 << 4)
    /// HTTP/2 over TLS.
    public static let http2 = Capabilities(rawValue: 1 << 5)
    /// One slow handler does not hold up the other exchanges' connections.
    public static let independent = Capabilities(rawValue: 1 << 6)
    /// Survives every malformed answer in the process.
    public static let robust = Capabilities(rawValue: 1 << 7)

    private static let words: [(Capabilities, String)] = [
        (.pause, "pause"), (.backpressure, "backpressure"), (.phases, "phases"), (.timings, "timings"),
        (.rawBody, "raw-body"), (.http2, "http2"), (.independent, "independent"), (.robust, "robust"),
    ]

    /// The words for people and programs, in a fixed order.
    public var names: [String] { Self.words.filter { contains($0.0) }.map(\.1) }
    /// Every word there is, in the same order.
    public static var allNames: [String] { words.map(\.1) }
    /// The words, with blanks between them.
    public var description: String { names.joined(separator: " ") }
}
