import WhirlSession

/// One of several parts of all requests, each for a machine of its own (`--shard K/N`).
struct Shard: Equatable, Sendable {
    private static let most = 1_000_000

    /// From 1.
    let number: Int
    let count: Int

    /// Reads `K/N`.
    init(_ text: String) throws(CommandError) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false).map { ByteCount.whole($0) }
        guard parts.count == 2, let number = parts[0], let count = parts[1], (1...Self.most).contains(count) else {
            throw CommandError("\(quoted(text)) is not K/N, such as 2/8: the second of eight parts")
        }
        guard (1...count).contains(number) else {
            throw CommandError("\(quoted(text)) is no part; there are 1/\(count) to \(count)/\(count)")
        }
        self.number = number
        self.count = count
    }

    /// As it is typed.
    var text: String { "\(number)/\(count)" }

    /// Whether a request is one of this part.
    func has(_ request: TransferRequest) -> Bool { request.shard(of: count) == number - 1 }
}
