import CWhirlCrypto

/// Digests by libcrypto.
enum Digest {
    /// The first bytes of the text's SHA-256, which has 32, in lower-case hexadecimal.
    static func sha256(_ text: String, bytes count: Int = 32) -> String {
        var text = text
        return unsafe withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 32) { digest in
            text.withUTF8 { bytes in unsafe whirl_sha256(bytes.baseAddress, bytes.count, digest.baseAddress) }
            return unsafe hexadecimal(digest.prefix(count))
        }
    }

    static func hexadecimal(_ bytes: some Collection<UInt8>) -> String {
        unsafe String(unsafeUninitializedCapacity: bytes.count * 2) { digits in
            var position = 0
            for byte in bytes {
                unsafe digits[position] = digit(byte >> 4)
                unsafe digits[position + 1] = digit(byte & 15)
                position += 2
            }
            return position
        }
    }

    private static func digit(_ value: UInt8) -> UInt8 { value < 10 ? 0x30 + value : 0x57 + value }
}

/// The digest of bytes that come one after the other.
///
/// Sendable, though libcrypto's context is not: whoever holds one sees to it that calls are serial.
@safe final class RunningDigest: @unchecked Sendable {
    let algorithm: DigestAlgorithm
    private let context: OpaquePointer?

    init(_ algorithm: DigestAlgorithm) {
        self.algorithm = algorithm
        unsafe context = EVP_MD_CTX_new()
        let isReady = unsafe EVP_DigestInit_ex(context, Methods.of(algorithm).pointer, nil) == 1
        precondition(isReady, "libcrypto has no \(algorithm)")
    }

    deinit { unsafe EVP_MD_CTX_free(context) }

    func update(_ bytes: UnsafeRawBufferPointer) {
        let isTaken = unsafe EVP_DigestUpdate(context, bytes.baseAddress, bytes.count) == 1
        precondition(isTaken, "libcrypto takes no bytes")
    }

    /// In lower-case hexadecimal; the last call.
    func finish() -> String {
        var digest = [UInt8](repeating: 0, count: Int(EVP_MAX_MD_SIZE))
        var count: UInt32 = 0
        let isMade = unsafe EVP_DigestFinal_ex(context, &digest, &count) == 1
        precondition(isMade, "libcrypto makes no digest")
        return Digest.hexadecimal(digest.prefix(Int(count)))
    }
}

/// libcrypto's implementations, looked up once each: a look-up costs more than a short digest.
@safe private struct Methods: @unchecked Sendable {
    let pointer: OpaquePointer?

    private init(_ name: String) { unsafe pointer = EVP_MD_fetch(nil, name, nil) }

    private static let all = Dictionary(
        uniqueKeysWithValues: DigestAlgorithm.allCases.map { ($0, Methods($0.rawValue)) })

    static func of(_ algorithm: DigestAlgorithm) -> Methods { all[algorithm] ?? Methods(algorithm.rawValue) }
}
