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
    /// Paths beside which a file or folder of those names stands that is somebody's own.
    private var crowded: Set<PathMark> = []
    /// The folder that was taken last, with all above it.
    private var entered = ""
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
        let mark = PathMark(path)
        guard !isWritten(path, mark), !folders.contains(mark), !crowded.contains(mark), enter(real) else {
            return false
        }
        files.insert(mark)
        if let base = base(of: path) { crowded.insert(base) }
        return true
    }

    /// Whether the path is a claimed file, or stands beside one.
    private func isWritten(_ path: String, _ mark: PathMark) -> Bool {
        files.contains(mark) || base(of: path).map(files.contains) == true
    }

    /// The path beside which one of that name may stand; nil for any other name.
    private func base(of path: String) -> PathMark? {
        let bytes = path.utf8
        for suffix in Self.suffixes
        where bytes.last == suffix.utf8.last && bytes.suffix(suffix.utf8.count).elementsEqual(suffix.utf8) {
            return PathMark(String(Substring(bytes.dropLast(suffix.utf8.count))))
        }
        return nil
    }

    /// Takes the folder and all above it for folders; false when one of them is written to as a file.
    private mutating func enter(_ folder: String) -> Bool {
        guard folder != entered else { return true }
        var rest = folder
        var marks: [PathMark] = []
        var bases: [PathMark] = []
        while rest.utf8.count > 1, case let mark = PathMark(rest), !folders.contains(mark) {
            if isWritten(rest, mark) { return false }
            marks.append(mark)
            if let base = base(of: rest) { bases.append(base) }
            rest = String(rest[..<(rest.lastIndex(of: "/") ?? rest.startIndex)])
        }
        folders.formUnion(marks)
        crowded.formUnion(bases)
        entered = folder
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

    init(_ path: String) {
        // The bytes: to the system a path is no text.
        var path = path
        var one = Hasher()
        var other = Hasher()
        other.combine(0 as UInt8)
        path.withUTF8 { bytes in
            unsafe one.combine(bytes: UnsafeRawBufferPointer(bytes))
            unsafe other.combine(bytes: UnsafeRawBufferPointer(bytes))
        }
        first = one.finalize()
        second = other.finalize()
    }
}
