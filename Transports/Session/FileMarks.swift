import CWhirlCrypto
import Glibc
import WhirlCore

/// What a refreshed file says about itself, in extended attributes: where it came from, and by which validators a
/// server can tell whether it has a newer one.
struct FileMarks: Equatable, Sendable {
    private static let prefix = "user.whirl."

    /// Redacted, for people.
    var url: String
    /// Of the URL as it is asked.
    var key: String
    /// As sent, weak ones too: equal enough for a conditional request.
    var etag: String?
    var modified: String?

    /// The marks of a response from `url`, which has no userinfo and no fragment; nil when it has no validator.
    init?(_ head: ResponseHead, url: String) {
        (self.url, key, etag, modified) = (
            Redaction.url(url), Digest.sha256(url), head["etag"], head["last-modified"]
        )
        guard etag != nil || modified != nil else { return nil }
    }

    /// The marks of a file; nil when it has none, has changed since they were made, or came from another URL.
    init?(of path: String, from source: String) {
        guard let url = Self.read("url", of: path), let stamp = Self.read("stamp", of: path),
            let key = Self.read("key", of: path), key == Digest.sha256(source), stamp == Self.stamp(of: path)
        else { return nil }
        (self.url, self.key) = (url, key)
        (etag, modified) = (Self.read("etag", of: path), Self.read("modified", of: path))
        let all = [etag, modified].compactMap(\.self)
        guard !all.isEmpty, all.allSatisfy({ Validator(etag: $0).isSendable }) else { return nil }
    }

    /// Marks an open file whose bytes and times are final; returns an errno or 0.
    func write(to file: Int32) -> Int32 {
        var status = stat()
        guard unsafe fstat(file, &status) == 0 else { return errno }
        let values = [
            ("url", url), ("key", key), ("etag", etag), ("modified", modified), ("stamp", Self.stamp(status)),
        ]
        for (name, value) in values {
            guard let value else { continue }
            var bytes = Array(value.utf8)
            guard unsafe fsetxattr(file, Self.prefix + name, &bytes, bytes.count, 0) == 0 else { return errno }
        }
        return 0
    }

    private static func read(_ name: String, of path: String) -> String? {
        var bytes = [UInt8](repeating: 0, count: 4096)
        let count = unsafe getxattr(path, prefix + name, &bytes, bytes.count)
        return count > 0 ? String(validating: bytes.prefix(count), as: UTF8.self) : nil
    }

    /// Size and time of the last change of the bytes.
    private static func stamp(_ status: stat) -> String {
        "\(status.st_size) \(status.st_mtim.tv_sec).\(status.st_mtim.tv_nsec)"
    }

    private static func stamp(of path: String) -> String? {
        var status = Glibc.stat()
        return unsafe lstat(path, &status) == 0 ? stamp(status) : nil
    }
}
