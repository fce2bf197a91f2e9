import Glibc

/// A fresh folder for files that nobody keeps.
struct TemporaryFolder {
    let path: String

    /// Makes it below `$TMPDIR`, else `/tmp`.
    init() throws(CommandError) {
        let parent = unsafe getenv("TMPDIR").map { unsafe String(cString: $0) } ?? "/tmp"
        var template = Array("\(parent.isEmpty ? "/tmp" : parent)/whirl-demo.XXXXXX".utf8CString)
        let made = unsafe template.withUnsafeMutableBufferPointer { buffer in
            unsafe buffer.baseAddress.flatMap { unsafe mkdtemp($0) } != nil
        }
        guard made else { throw CommandError("\(parent): no folder can be made: \(Descriptor.reason(errno))", exit: 3) }
        path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// Removes it and the files in it.
    func remove() {
        guard let folder = unsafe opendir(path) else { return }
        defer { unsafe _ = closedir(folder) }
        while let entry = unsafe readdir(folder) {
            let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                unsafe pointer.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe String(cString: $0) }
            }
            if name != ".", name != ".." { unsafe _ = unlinkat(dirfd(folder), name, 0) }
        }
        unsafe _ = rmdir(path)
    }
}
