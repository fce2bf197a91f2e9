import WhirlCore

/// The digests of a body, computed as its bytes are written.
///
/// Of a body that was continued by another process they know nothing: the file is read again then.
///
/// Sendable, though it changes: whoever holds one sees to it that calls are serial.
@safe final class BodyDigests: @unchecked Sendable {
    private let running: [RunningDigest]
    /// How many bytes from the beginning on have been seen, without a gap.
    private(set) var count: Int64 = 0

    init(_ algorithms: some Sequence<DigestAlgorithm>) { running = algorithms.map(RunningDigest.init) }

    var isEmpty: Bool { running.isEmpty }
    var algorithms: Set<DigestAlgorithm> { Set(running.map(\.algorithm)) }

    func update(_ bytes: UnsafeRawBufferPointer) {
        for each in running { unsafe each.update(bytes) }
        count += Int64(bytes.count)
    }

    /// The digests in lower-case hexadecimal; the last call.
    func finish() -> [DigestAlgorithm: String] {
        Dictionary(running.map { ($0.algorithm, $0.finish()) }) { $1 }
    }
}

/// What the bytes of a body must be.
struct Expectation: Equatable, Sendable {
    /// In lower-case hexadecimal.
    let digests: [DigestAlgorithm: String]
    /// Whether the digests are the server's own word.
    let isServers: Bool

    init(digests: [DigestAlgorithm: String], isServers: Bool = false) {
        self.digests = digests.mapValues { $0.lowercased() }
        self.isServers = isServers
    }

    /// Throws `digest_mismatch` for a digest that is another one.
    func check(_ computed: [DigestAlgorithm: String]) throws(TransferError) {
        for (algorithm, wanted) in digests.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
            guard let found = computed[algorithm], found != wanted else { continue }
            let by = isServers ? ", as the server says" : ""
            throw TransferError(
                .digestMismatch, "the bytes have the \(algorithm) \(found), not \(wanted)\(by)")
        }
    }
}
