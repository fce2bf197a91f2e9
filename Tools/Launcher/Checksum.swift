import WhirlSession

/// What bytes must hash to, as it is typed: `sha256:` and hexadecimal digits.
struct Checksum: Equatable, Sendable {
    let algorithm: DigestAlgorithm
    /// In lower case.
    let digest: String

    /// Reads `ALGO:HEX`.
    init(_ text: String) throws(CommandError) {
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2 else { throw CommandError("\(quoted(text)) has no colon; write it as sha256:HEX") }
        guard let algorithm = Self.algorithm(parts[0]) else {
            let known = DigestAlgorithm.allCases.map(\.rawValue).joined(separator: ", ")
            throw CommandError("\(quoted(String(parts[0]))) is not a checksum; there is \(known)")
        }
        try self.init(algorithm, parts[1])
    }

    /// Checks the digits.
    init(_ algorithm: DigestAlgorithm, _ digits: some StringProtocol) throws(CommandError) {
        guard algorithm.canBe(digits) else {
            let name = algorithm.rawValue
            throw CommandError(
                "\(quoted(String(digits))) is not a \(name); it has \(algorithm.digits) hexadecimal digits")
        }
        self.algorithm = algorithm
        digest = digits.lowercased()
    }

    /// As it is read, in the one spelling for what is the same.
    var text: String { "\(algorithm.rawValue):\(digest)" }

    /// The algorithm of that name: `sha256`, `sha-256`, `SHA256`.
    static func algorithm(_ name: some StringProtocol) -> DigestAlgorithm? {
        DigestAlgorithm(rawValue: name.lowercased().filter { $0 != "-" })
    }
}
