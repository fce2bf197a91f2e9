import Glibc
import WhirlLoopback

extension TemporaryFolder {
    /// Writes a file into folders that are made for it.
    func writeDeep(_ name: String, _ text: String) {
        var folder = path
        for part in name.split(separator: "/").dropLast() {
            folder += "/\(part)"
            _ = unsafe mkdir(folder, 0o755)
        }
        write(name, text)
    }
}
