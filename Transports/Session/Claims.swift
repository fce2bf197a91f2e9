import Glibc

/// The paths that a run's tasks write to: no two tasks may write to one, also through links and `./`, and none may need
/// another's file for a folder.
///
/// A path is kept as 8 bytes: a list may have millions of them.
struct Claims: Sendable {
    /// What stands beside a file while it is being fetched.
    private static let suffixes = [
        PartFile.suffix, PartFile.stateSuffix, PartFile.stateSuffix + PartState.newSuffix,
    ]
    private static let lastBytes = suffixes.compactMap(\.utf8.last)
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
    private var known: [PathMark: String] = [:]
    /// Of the path that was looked at last: what stands before its last segment, and the real path of that.
    private var latest: (start: Substring, real: String)?

    /// False when another task has the path or one of those that stand beside it, as its file or as a folder.
    mutating func claim(_ destination: Destination) -> Bool {
        if destination.isStandardOutput {
            defer { hasStandardOutput = true }
            return !hasStandardOutput
        }
        if destination.isInPlace { return true }
        let path = destination.path
        let real = realPath(of: path)
        let name = path[path.nameStart...]
        let mark = PathMark(real, name)
        let base = base(of: name, in: real)
        guard !folders.contains(mark), !crowded.contains(mark), base.map(files.contains) != true, enter(real),
            files.insert(mark).inserted
        else { return false }
        if let base { crowded.insert(base) }
        return true
    }

    /// The path beside which one of that name may stand; nil for any other name.
    private func base(of name: Substring, in folder: String) -> PathMark? {
        let bytes = name.utf8
        guard let last = bytes.last, Self.lastBytes.contains(last) else { return nil }
        for suffix in Self.suffixes where bytes.suffix(suffix.utf8.count).elementsEqual(suffix.utf8) {
            return PathMark(folder, Substring(bytes.dropLast(suffix.utf8.count)))
        }
        return nil
    }

    /// Takes the folder and all above it for folders; false when one of them is written to as a file.
    private mutating func enter(_ folder: String) -> Bool {
        guard folder != entered else { return true }
        var rest = folder
        var marks: [PathMark] = []
        var bases: [PathMark] = []
        while rest.utf8.count > 1 {
            let (above, name) = split(rest)
            let mark = PathMark(above, name)
            if folders.contains(mark) { break }
            let base = base(of: name, in: above)
            if files.contains(mark) || base.map(files.contains) == true { return false }
            marks.append(mark)
            if let base { bases.append(base) }
            rest = above
        }
        folders.formUnion(marks)
        crowded.formUnion(bases)
        entered = folder
        return true
    }

    // MARK: real paths

    /// Of the folder that the path's last segment is in.
    private mutating func realPath(of path: String) -> String {
        let start = path[..<path.nameStart]
        if let latest, latest.start.utf8.elementsEqual(start.utf8) { return latest.real }
        let folder = PartFile.folder(of: path)
        // By its bytes: texts that Unicode holds for the same are two folders to the system.
        let mark = PathMark("", folder[...])
        let real = known[mark] ?? findRealPath(of: folder)
        if known.count == Self.foldersKept { known = [:] }
        known[mark] = real
        latest = (start, real)
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
        (PartFile.folder(of: path), path[path.nameStart...])
    }
}

/// 64 bits of a path, by a hash whose key is the process's: nobody can make two paths that share them, and of ten million
/// two do so in one of 400,000 runs, which is refused then.
private struct PathMark: Hashable, Sendable {
    private let bits: Int

    /// Of the path with that name in that folder.
    init(_ folder: String, _ name: Substring) {
        // The bytes: to the system a path is no text.
        var (folder, name) = (folder, name)
        var hasher = Hasher()
        folder.withUTF8 { unsafe hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
        hasher.combine(0x2F as UInt8)
        name.withUTF8 { unsafe hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
        bits = hasher.finalize()
    }

    /// It is a hash already.
    func hash(into hasher: inout Hasher) { hasher.combine(bits) }
}
