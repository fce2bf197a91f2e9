import FoundationEssentials
import Glibc

/// What `swift package describe` says of this package.
struct PackageDescription: Decodable, Sendable {
    struct Target: Decodable, Sendable {
        var name: String
        var type: String
        var path: String
        var sources: [String]
        var dependencies: [String]?

        private enum CodingKeys: String, CodingKey {
            case name, type, path, sources
            case dependencies = "target_dependencies"
        }
    }

    var path: String
    var targets: [Target]

    /// Asks for the whole of it, with a scratch path of its own: the tests may run under the lock of the usual one.
    static func ask() async throws -> PackageDescription {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent().path
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("whirl-layers-\(UUID())").path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let output = "\(folder)/description.json"
        let status = Locked<Int32>(-1)
        let thread = Threads.start {
            status.value = run(
                ["env", "-u", "TSAN", "swift", "package", "--package-path", root, "--scratch-path", folder]
                    + ["describe", "--type", "json"],
                output: output)
        }
        await thread.join()
        guard status.value == 0 else { throw Failure(status: status.value) }
        return try JSONDecoder().decode(Self.self, from: Data(contentsOf: URL(fileURLWithPath: output)))
    }

    struct Failure: Error {
        var status: Int32
    }

    /// Runs a program to its end, its standard output in a file, and gives its wait status or an error number.
    private static func run(_ arguments: [String], output: String) -> Int32 {
        var actions = unsafe posix_spawn_file_actions_t()
        unsafe posix_spawn_file_actions_init(&actions)
        defer { unsafe posix_spawn_file_actions_destroy(&actions) }
        unsafe posix_spawn_file_actions_addopen(&actions, 1, output, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
        var words = unsafe arguments.map { unsafe strdup($0) } + [nil]
        defer { unsafe words.forEach { unsafe free($0) } }
        var process = pid_t()
        let result = unsafe posix_spawnp(&process, arguments[0], &actions, nil, &words, environ)
        guard result == 0 else { return result }
        var status: Int32 = 0
        while unsafe waitpid(process, &status, 0) < 0 {
            guard errno == EINTR else { return errno }
        }
        return status
    }
}
