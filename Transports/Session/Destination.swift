import Glibc
import WhirlCore

/// Where the bytes of a task go, found out before it starts.
struct Destination: Equatable, Sendable {
    /// The path, or `-` for the standard output: what people see.
    let path: String
    /// The path whose `.part` the bytes are collected in: `path`, unless its name is the server's to choose.
    let collected: String
    /// A device, FIFO, socket or the standard output: written as it is, with no `.part`, rename or skip.
    let isInPlace: Bool

    /// A regular file, or that of a task that fails before it has a destination.
    init(regular path: String) {
        self.path = path
        collected = path
        isInPlace = false
    }

    var isStandardOutput: Bool { path == "-" }

    /// Throws `usage` for a path that can't be a file's.
    ///
    /// `index` is the request's number in the run, from 1.
    init(
        _ request: TransferRequest, _ source: SourceURL, index: Int, _ configuration: SessionConfiguration
    ) throws(TransferError) {
        let directory = configuration.directory
        let path: String
        switch request.destination {
        case .standardOutput:
            self.path = "-"
            collected = "-"
            isInPlace = true
            return
        case .suggested:
            path = FileName.suggested(by: source.lastSegment)
        case .path(let given): path = try Self.checked(given)
        case .template(let template):
            path = try Self.checked(NameTemplate.fill(template, source, index: index))
        }
        let full = path.utf8.first == 0x2F || directory == "." ? path : "\(directory)/\(path)"
        self.path = full
        isInPlace = Self.isSpecial(full)
        // Many URLs that differ in their queries only may be files of very different names.
        let isServersToName = configuration.usesRemoteName && request.destination == .suggested
        collected = isServersToName ? "\(full).\(Digest.sha256(source.exchange).prefix(8))" : full
    }

    private static func checked(_ path: String) throws(TransferError) -> String {
        guard !path.isEmpty, path.utf8.last != 0x2F, !path.utf8.contains(0) else {
            throw TransferError(.usage, "the output \(path) names no file; a folder goes to --directory")
        }
        return path
    }

    /// Whether the server has the last word on the name.
    var isServersToName: Bool { collected != path }

    /// The same folder with another name in it.
    func renamed(_ name: String) -> String {
        path[..<path.nameStart] + name
    }

    /// Whether it exists and is neither a regular file nor a folder, links followed.
    private static func isSpecial(_ path: String) -> Bool {
        var status = stat()
        guard unsafe path.withCString({ unsafe stat($0, &status) == 0 }) else { return false }
        let kind = status.st_mode & S_IFMT
        return kind != S_IFREG && kind != S_IFDIR
    }
}
