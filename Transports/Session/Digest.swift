import CWhirlCrypto

/// Digests by libcrypto.
enum Digest {
    /// The SHA-256 of the text in lower-case hexadecimal.
    static func sha256(_ text: String) -> String {
        var digest = [UInt8](repeating: 0, count: Int(SHA256_DIGEST_LENGTH))
        var text = text
        text.withUTF8 { bytes in
            unsafe digest.withUnsafeMutableBufferPointer {
                _ = unsafe SHA256(bytes.baseAddress, bytes.count, $0.baseAddress)
            }
        }
        return hexadecimal(digest)
    }

    static func hexadecimal(_ bytes: some Sequence<UInt8>) -> String {
        let digits = Array("0123456789abcdef".utf8)
        return String(decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }
}
