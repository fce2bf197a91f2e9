import Glibc

/// A folder that is gone with the value, and the files in it.
final class TestFolder: Sendable {
    let path: String

    init() {
        var template = Array("/tmp/whirl-test-XXXXXX".utf8CString)
        unsafe mkdtemp(&template)
        path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    deinit {
        if let folder = unsafe opendir(path) {
            while let entry = unsafe readdir(folder) {
                _ = unsafe withUnsafeBytes(of: entry.pointee.d_name) { name in
                    unsafe unlink("\(path)/" + String(decoding: name.prefix { $0 != 0 }, as: UTF8.self))
                }
            }
            unsafe closedir(folder)
        }
        unsafe rmdir(path)
    }

    /// Writes a file, or to a FIFO.
    func write(_ name: String, _ text: String) {
        let file = unsafe open("\(path)/\(name)", O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
        _ = unsafe Glibc.write(file, text, text.utf8.count)
        close(file)
    }

    func read(_ name: String) -> String {
        let file = unsafe open("\(path)/\(name)", O_RDONLY | O_CLOEXEC)
        defer { close(file) }
        var bytes = [UInt8](repeating: 0, count: 4096)
        let count = unsafe Glibc.read(file, &bytes, bytes.count)
        return String(decoding: bytes[..<max(0, count)], as: UTF8.self)
    }
}
