import FoundationEssentials
import Glibc
import WhirlCore

/// What a `.part` holds, told to a later run by the file `NAME.part.state`: whatever is in doubt is thrown away.
struct PartState: Equatable, Sendable {
    private static let schema = "whirl-part/1"
    private static let schemas = "whirl-part/"
    private static let largest = 64 << 10

    /// In place of a key: the bytes are wrong, and no run goes on with them.
    static let rejected = "rejected"

    /// SHA-256 of the request's URL, without userinfo and fragment.
    var key: String
    /// The same URL, redacted: for people.
    var url: String
    /// Nil when the server gave none that is strong: the bytes are of no use then.
    var validator: Validator?
    /// Nil when the server did not tell.
    var total: Int64?
    /// What the server said the whole file hashes to.
    var served: [DigestAlgorithm: String]
    /// The boot of the machine that wrote it.
    var boot: String
    /// Bytes that have been synced: so many are there after a loss of power too.
    var synced: Int64

    /// Why a state can't be used.
    enum Flaw: String, Error {
        case missing, damaged, foreign, newer
    }

    /// How many bytes of a `.part` of `size` bytes can be relied on.
    func offset(size: Int64) -> Int64 { boot == Self.thisBoot ? size : min(size, synced) }

    /// Of this boot of the machine; empty where that can't be known.
    static let thisBoot: String = {
        let file = unsafe open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return "" }
        defer { close(file) }
        var bytes = [UInt8](repeating: 0, count: 64)
        let count = unsafe Glibc.read(file, &bytes, bytes.count)
        return String(decoding: bytes.prefix(max(0, count)).filter { $0 > 0x20 }, as: UTF8.self)
    }()

    // MARK: the file

    private struct Heading: Codable {
        var schema: String
    }

    private struct Fields: Codable {
        var schema: String
        var key: String?
        var url: String?
        var etag: String?
        var modified: String?
        var total: Int64?
        var digests: [String: String]?
        var boot: String?
        var synced: Int64?
    }

    /// Reads `path`.
    init(at path: String) throws(Flaw) {
        let bytes = try Self.bytes(at: path)
        guard let heading = try? JSONDecoder().decode(Heading.self, from: Data(bytes)) else { throw .damaged }
        guard heading.schema == Self.schema else {
            throw heading.schema.hasPrefix(Self.schemas) ? .newer : .foreign
        }
        guard let fields = try? JSONDecoder().decode(Fields.self, from: Data(bytes)),
            let key = fields.key, let url = fields.url, let boot = fields.boot, let synced = fields.synced,
            synced >= 0, fields.total ?? 0 >= 0
        else { throw .damaged }
        (self.key, self.url, self.boot, self.synced, total) = (key, url, boot, synced, fields.total)
        served = [:]
        for (name, digest) in fields.digests ?? [:] {
            guard let algorithm = DigestAlgorithm(rawValue: name), algorithm.canBe(digest) else {
                throw .damaged
            }
            served[algorithm] = digest
        }
        validator = fields.etag.map { Validator(etag: $0) } ?? fields.modified.map { Validator(modified: $0) }
        guard validator?.isSendable ?? true else { throw .damaged }
    }

    init(
        key: String, url: String, validator: Validator?, total: Int64?, served: [DigestAlgorithm: String] = [:]
    ) {
        (self.key, self.url, self.validator, self.total, self.served) = (key, url, validator, total, served)
        boot = Self.thisBoot
        synced = 0
    }

    private static func bytes(at path: String) throws(Flaw) -> [UInt8] {
        let file = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard file >= 0 else { throw errno == ENOENT ? .missing : .damaged }
        defer { close(file) }
        var bytes = [UInt8](repeating: 0, count: largest + 1)
        var count = 0
        while count < bytes.count {
            let got = unsafe bytes.withUnsafeMutableBytes { bytes in
                let rest = unsafe UnsafeMutableRawBufferPointer(rebasing: bytes[count...])
                return unsafe Glibc.read(file, rest.baseAddress, rest.count)
            }
            guard got > 0 else { break }
            count += got
        }
        guard count <= largest else { throw .foreign }
        return Array(bytes.prefix(count))
    }

    /// Replaces `path` in one step, so that there is always a whole one; returns an errno or 0.
    func write(to path: String) -> Int32 {
        let fields = Fields(
            schema: Self.schema, key: key, url: url, etag: validator?.kind == .etag ? validator?.text : nil,
            modified: validator?.kind == .modified ? validator?.text : nil, total: total,
            digests: served.isEmpty ? nil : Dictionary(served.map { ($0.key.rawValue, $0.value) }) { $1 }, boot: boot,
            synced: synced)
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        guard let data = try? encoder.encode(fields) else { return EINVAL }
        let new = path + Self.newSuffix
        _ = unsafe unlink(new)
        let file = unsafe open(new, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard file >= 0 else { return errno }
        var failure = unsafe data.withUnsafeBytes { unsafe writeAll(file, $0, at: nil) }
        close(file)
        if failure == 0, unsafe rename(new, path) != 0 { failure = errno }
        if failure != 0 { _ = unsafe unlink(new) }
        return failure
    }

    /// Takes the state at `path` away, and what a process that was killed left of a new one.
    static func remove(at path: String) {
        _ = unsafe unlink(path)
        _ = unsafe unlink(path + newSuffix)
    }

    static let newSuffix = ".new"
}
