import WhirlLoopback

/// A file that lives as long as the test needs it.
final class ScratchFile: Sendable {
    let path: String
    private let folder: TemporaryFolder

    convenience init(_ text: String, name: String = "file") throws {
        try self.init(Array(text.utf8), name: name)
    }

    init(_ bytes: [UInt8], name: String = "file") throws {
        folder = try TemporaryFolder()
        folder.write(name, bytes)
        path = "\(folder.path)/\(name)"
    }
}
