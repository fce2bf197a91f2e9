import Glibc

@testable import WhirlLauncher

/// A file that lives as long as the test needs it.
final class ScratchFile: Sendable {
    let path: String
    private let folder: TemporaryFolder

    convenience init(_ text: String, name: String = "file") throws {
        try self.init(Array(text.utf8), name: name)
    }

    init(_ bytes: [UInt8], name: String = "file") throws {
        folder = try TemporaryFolder()
        path = "\(folder.path)/\(name)"
        let file = unsafe open(path, O_WRONLY | O_CREAT | O_EXCL, 0o600)
        defer { close(file) }
        let count = unsafe bytes.withUnsafeBytes { unsafe write(file, $0.baseAddress, $0.count) }
        guard file >= 0, count == bytes.count else { throw CommandError("no scratch file") }
    }

    deinit { folder.remove() }
}
