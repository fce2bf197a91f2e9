public import WhirlCore

/// The hash functions that a transfer's bytes can be checked with.
///
/// `rawValue` is the name in lists, options and events. MD5 and SHA-1 guard against accidents only.
public enum DigestAlgorithm: String, Sendable, CaseIterable {
    case md5, sha1, sha224, sha256, sha384, sha512

    /// How many hexadecimal digits a digest has.
    public var digits: Int {
        switch self {
        case .md5: 32
        case .sha1: 40
        case .sha224: 56
        case .sha256: 64
        case .sha384: 96
        case .sha512: 128
        }
    }

    /// Whether the text can be a digest of this kind: so many hexadecimal digits, in either case.
    public func canBe(_ digest: some StringProtocol) -> Bool {
        digest.utf8.count == digits
            && digest.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0 | 0x20) }
    }

    /// Throws `usage` for what can't be a digest of this kind.
    public func check(_ digest: String) throws(TransferError) {
        guard canBe(digest) else {
            throw TransferError(
                .usage, "'\(digest.prefix(140))' is no \(rawValue); write its \(digits) hexadecimal digits")
        }
    }
}
