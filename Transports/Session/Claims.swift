import Glibc

/// The paths that a run's tasks write to: no two tasks may write to one, also through links and `./`, and none may need
/// another's file for a folder.
///
/// A path is kept as 16 bytes: a list may have millions of them.
struct Claims: Sendable {
    /// What stands beside a file while it is being fetched.
    private static let suffixes = [
        PartFile.suffix, PartFile.stateSuffix, PartFile.stateSuffix + PartState.newSuffix,
    ]
    /// Folders looked up that are kept; a list seldom goes to and fro between more.
    private static let foldersKept = 1000

    private var hasStandardOutput = false
    private var files: Set<PathMark> = []
    /// Every folder that a file is in, up to the root.
    private var folders: Set<PathMark> = []
    /// Real paths of folders.
    private var known: [String: String] = [:]

    /// False when another task has the path or one of those that stand beside it, as its file or as a folder.
    mutating func claim(_ destination: Destination) -> Bool {
        if destination.isStandardOutput {
            defer { hasStandardOutput = true }
            return !hasStandardOutput
        }
        if destination.isInPlace { return true }
        let (folder, name) = split(destination.path)
        let real = realPath(of: folder)
        let path = real == "/" ? "/\(name)" : "\(real)/\(name)"
        guard !isWritten(path), !isNeeded(path), enter(real) else { return false }
        files.insert(PathMark(path))
        return true
    }

    /// Whether the path is a claimed file, or stands beside one.
    private func isWritten(_ path: String) -> Bool {
        if files.contains(PathMark(path)) { return true }
        return Self.suffixes.contains { path.hasSuffix($0) && files.contains(PathMark(path.dropLast($0.count))) }
    }

    /// Whether what the path's task writes is a folder of another, or what stands beside it is another's file.
    private func isNeeded(_ path: String) -> Bool {
        if folders.contains(PathMark(path)) { return true }
        return Self.suffixes.contains { suffix in
            let mark = PathMark(path + suffix)
            return files.contains(mark) || folders.contains(mark)
        }
    }

    /// Takes the folder and all above it for folders; false when one of them is written to as a file.
    private mutating func enter(_ folder: String) -> Bool {
        var rest = folder[...]
        var marks: [PathMark] = []
        while rest.utf8.count > 1, case let mark = PathMark(rest), !folders.contains(mark) {
            if isWritten(String(rest)) { return false }
            marks.append(mark)
            rest = rest[..<(rest.lastIndex(of: "/") ?? rest.startIndex)]
        }
        folders.formUnion(marks)
        return true
    }

    // MARK: real paths

    private mutating func realPath(of folder: String) -> String {
        if let real = known[folder] { return real }
        if known.count == Self.foldersKept { known = [:] }
        let real = findRealPath(of: folder)
        known[folder] = real
        return real
    }

    /// The folder's real path; of what does not exist yet, its text with `.` and `..` taken out.
    private func findRealPath(of folder: String) -> String {
        if let real = unsafe realpath(folder, nil) {
            defer { unsafe free(real) }
            return unsafe String(cString: real)
        }
        guard folder != "/", folder != "." else { return folder }
        let (above, name) = split(folder)
        let parent = findRealPath(of: above)
        if name.isEmpty || name == "." { return parent }
        if name == ".." { return split(parent).folder }
        return parent == "/" ? "/\(name)" : "\(parent)/\(name)"
    }

    private func split(_ path: String) -> (folder: String, name: Substring) {
        guard let slash = path.lastIndex(of: "/") else { return (".", path[...]) }
        return (slash == path.startIndex ? "/" : String(path[..<slash]), path[path.index(after: slash)...])
    }
}

/// 128 bits of a path that no other path has, for all that chance and ill will can do: the hash's key is the process's.
private struct PathMark: Hashable, Sendable {
    private let first: Int
    private let second: Int

    init(_ path: some StringProtocol) {
        // The bytes: to the system a path is no text.
        var path = Array(path.utf8)
        func hash() -> Int {
            var hasher = Hasher()
            unsafe path.withUnsafeBytes { unsafe hasher.combine(bytes: $0) }
            return hasher.finalize()
        }
        first = hash()
        path.append(0)
        second = hash()
    }
}
