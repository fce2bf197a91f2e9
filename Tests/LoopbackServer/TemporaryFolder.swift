import Glibc

/// A fresh folder for files that nobody keeps: gone with the value, and all below it.
public final class TemporaryFolder: Sendable {
    /// Absolute, without a slash at the end.
    public let path: String

    /// Makes it below `$TMPDIR`, else `/tmp`.
    ///
    /// Throws a `SocketError` with the system's number when that can't be done.
    public init() throws {
        let given = unsafe getenv("TMPDIR").map { unsafe String(cString: $0) } ?? ""
        var template = Array("\(given.isEmpty ? "/tmp" : given)/whirl.XXXXXX".utf8CString)
        let isMade = unsafe template.withUnsafeMutableBufferPointer { buffer in
            unsafe buffer.baseAddress.flatMap { unsafe mkdtemp($0) } != nil
        }
        guard isMade else { throw SocketError("mkdtemp") }
        path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    deinit { Self.remove(path) }

    private static func remove(_ path: String) {
        // Links go, what they lead to stays.
        var status = stat()
        if unsafe lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR {
            for name in names(in: path) { remove("\(path)/\(name)") }
        }
        _ = unsafe Glibc.remove(path)
    }

    /// What is in any folder, sorted.
    public static func names(in path: String) -> [String] {
        guard let folder = unsafe opendir(path) else { return [] }
        defer { unsafe closedir(folder) }
        var names: [String] = []
        while let entry = unsafe readdir(folder) {
            let name = unsafe withUnsafeBytes(of: entry.pointee.d_name) {
                unsafe String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names.sorted()
    }

    /// What is in the folder, sorted.
    public var names: [String] { Self.names(in: path) }

    /// What is in a folder below it, sorted.
    public func names(in folder: String) -> [String] { Self.names(in: "\(path)/\(folder)") }

    /// Makes a folder below it.
    public func make(_ folder: String) { unsafe mkdir("\(path)/\(folder)", 0o755) }

    /// The bytes of a file; nil when there is no such file.
    public func read(_ name: String) -> [UInt8]? {
        let file = unsafe open("\(path)/\(name)", O_RDONLY)
        guard file >= 0 else { return nil }
        defer { close(file) }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = unsafe Glibc.read(file, &buffer, buffer.count)
            guard count > 0 else { return bytes }
            bytes += buffer.prefix(count)
        }
    }

    /// Writes a file, in place of one that is there.
    public func write(_ name: String, _ bytes: [UInt8]) {
        let file = unsafe open("\(path)/\(name)", O_WRONLY | O_CREAT | O_TRUNC, 0o644)
        _ = unsafe Glibc.write(file, bytes, bytes.count)
        close(file)
    }

    /// Writes a file, in place of one that is there.
    public func write(_ name: String, _ text: String) { write(name, Array(text.utf8)) }
}
