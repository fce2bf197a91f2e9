import Glibc
import WhirlCore

/// What is at a task's destination before it starts.
struct ExistingFile: Equatable, Sendable {
    /// What becomes of the task.
    enum Fate: Equatable {
        case fetch
        /// Only if the server has another one.
        case fetchUnlike(FileMarks)
        case end(TaskOutcome)
        /// Depends on the file's bytes.
        case check
    }

    let fate: Fate
    private let path: String
    private let digests: [DigestAlgorithm: String]

    /// At the destination that is known before the server has spoken.
    init(_ task: SessionTask, _ configuration: SessionConfiguration) {
        self.init(task.request, task.destination, task.source, configuration)
        if fate != .fetch, !configuration.refreshes { Self.removeStaleState(path) }
    }

    /// The same, for who only looks.
    init(
        _ request: TransferRequest, _ destination: Destination, _ source: SourceURL?,
        _ configuration: SessionConfiguration
    ) {
        path = destination.path
        digests = request.digests
        let isKnown = !destination.isInPlace && !destination.isServersToName
        fate = isKnown ? Self.fate(path, request, source, configuration) : .fetch
    }

    /// At a path that the server has named.
    init(_ path: String, _ task: SessionTask, _ configuration: SessionConfiguration) {
        self.path = path
        digests = task.request.digests
        let fate = Self.fate(path, task.request, task.source, configuration)
        if fate != .fetch, !configuration.refreshes { Self.removeStaleState(path) }
        // The head is there already, so refreshing is fetching.
        self.fate = configuration.refreshes && fate == .check ? .fetch : fate
    }

    private static func fate(
        _ path: String, _ request: TransferRequest, _ source: SourceURL?, _ configuration: SessionConfiguration
    ) -> Fate {
        var status = Glibc.stat()
        guard unsafe path.withCString({ unsafe lstat($0, &status) == 0 }) else { return .fetch }
        var isDangling = false
        if status.st_mode & S_IFMT == S_IFLNK { isDangling = unsafe stat(path, &status) != 0 }
        if !isDangling, status.st_mode & S_IFMT == S_IFDIR {
            return .end(
                .failed(
                    TransferError(.io, "\(path) is a folder; to put the file into it use -d, or give it another name")))
        }
        if configuration.refreshes {
            // What is expected of the bytes says more than what the server says of them.
            if let size = request.size, size != Int64(status.st_size) { return .fetch }
            if !request.digests.isEmpty { return isDangling ? .fetch : .check }
            guard let url = source?.exchange, let marks = FileMarks(of: path, from: url) else { return .fetch }
            return .fetchUnlike(marks)
        }
        switch configuration.onExists {
        case .overwrite, .rename: return .fetch
        case .fail:
            return .end(.failed(TransferError(.io, "\(path) exists; take it away, or choose another --on-exists")))
        case .skip where isDangling:
            return .end(.failed(TransferError(.io, "\(path) is a link to nothing; --on-exists overwrite replaces it")))
        case .skip: return skipped(path, request, Int64(status.st_size))
        }
    }

    private static func skipped(_ path: String, _ request: TransferRequest, _ size: Int64) -> Fate {
        if let wanted = request.size, size != wanted {
            return .end(
                .failed(
                    TransferError(
                        .digestMismatch,
                        "\(path) is there with \(size) bytes, not \(wanted); --on-exists overwrite fetches it again"))
            )
        }
        if !request.digests.isEmpty { return .check }
        return .end(.skipped(reason: request.size == nil ? "exists" : "verified"))
    }

    /// A process that was killed right after it had renamed its file left the state behind.
    private static func removeStaleState(_ path: String) {
        var status = Glibc.stat()
        guard unsafe lstat(path + PartFile.stateSuffix, &status) == 0,
            unsafe lstat(path + PartFile.suffix, &status) != 0,
            (try? PartState(at: path + PartFile.stateSuffix)) != nil  // else it is somebody else's
        else { return }
        PartState.remove(at: path + PartFile.stateSuffix)
    }

    /// What the file's bytes say; takes as long as reading them.
    func checked() -> TaskOutcome {
        let file = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return .failed(fileError(errno, "read", path)) }
        defer { close(file) }
        do throws(TransferError) {
            try Expectation(digests: digests).check(FileDigests.of(file, digests.keys, path))
            return .skipped(reason: "verified")
        } catch {
            var error = error
            error.message = "\(path) is there, but \(error.message); --on-exists overwrite fetches it again"
            return .failed(error)
        }
    }
}
