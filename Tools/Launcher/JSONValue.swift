/// Any JSON (RFC 8259).
enum JSONValue: Equatable, Sendable {
    /// A name and its value.
    struct Member: Equatable, Sendable {
        let name: String
        let value: JSONValue
    }

    case null
    case bool(Bool)
    /// As it is written.
    case number(String)
    case string(String)
    case array([JSONValue])
    /// In the order of the text; no name stands twice.
    case object([Member])

    /// Reads a text that is one value.
    ///
    /// Throws a sentence that tells the column, in bytes from 1, and quotes nothing.
    init(_ bytes: ArraySlice<UInt8>) throws(CommandError) {
        self = try JSONReader.read(bytes)
    }

    /// What it is, for a sentence.
    var kind: String {
        switch self {
        case .null: "null"
        case .bool(let isTrue): isTrue ? "true" : "false"
        case .number: "a number"
        case .string: "a string"
        case .array: "an array"
        case .object: "an object"
        }
    }

    /// The whole number, not negative, that it is; nil when it is none, or too large.
    var count: Int64? {
        guard case .number(let text) = self else { return nil }
        if let count = ByteCount.whole(text) { return Int64(count) }
        // `1e6` and `1.0` are whole too; beyond 2^53 a fraction can't be told from none.
        guard let number = Double(text), (0...9_007_199_254_740_992).contains(number) else { return nil }
        return Int64(exactly: number)
    }
}
