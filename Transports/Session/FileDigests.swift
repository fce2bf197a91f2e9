import Glibc
import WhirlCore

/// The digests of a file, read from its beginning.
enum FileDigests {
    /// Throws what keeps it from being read; `path` is for the sentence.
    static func of(
        _ file: Int32, _ algorithms: some Sequence<DigestAlgorithm>, _ path: String
    ) throws(TransferError) -> [DigestAlgorithm: String] {
        let digests = BodyDigests(algorithms)
        var bytes = [UInt8](repeating: 0, count: 256 << 10)
        while true {
            let count = unsafe pread(file, &bytes, bytes.count, off_t(digests.count))
            guard count >= 0 || errno == EINTR else { throw fileError(errno, "read", path) }
            if count == 0 { return digests.finish() }
            if count > 0 {
                unsafe bytes.withUnsafeBytes { unsafe digests.update(UnsafeRawBufferPointer(rebasing: $0[..<count])) }
            }
        }
    }
}
