/// Where the files are whose names stand in a list (`--base-url`).
struct BaseURL: Sendable {
    /// Up to the folder's slash.
    private let folder: String
    /// From the question mark on.
    private let query: Substring

    /// Takes a URL for that of a folder, whether it ends in a slash or not.
    init(_ text: String) throws(CommandError) {
        let lower = text.lowercased()
        guard lower.hasPrefix("http://") || lower.hasPrefix("https://") else {
            throw CommandError("\(quoted(text)) is not the URL of a folder, such as https://example.org/pub/")
        }
        let url = text.prefix { $0 != "#" }
        let path = url.prefix { $0 != "?" }
        folder = path.hasSuffix("/") ? String(path) : path + "/"
        query = url[path.endIndex...]
    }

    /// The URL of a file below it; the name is as it is on a disk.
    func url(of name: String) -> String {
        var url = folder
        for byte in name.utf8 {
            if Self.isPlain(byte) {
                url.unicodeScalars.append(Unicode.Scalar(byte))
            } else {
                url +=
                    "%" + String(byte >> 4, radix: 16, uppercase: true) + String(byte & 15, radix: 16, uppercase: true)
            }
        }
        return url + query
    }

    /// What a path has as it is: unreserved characters, those that have no meaning there, and the slash (RFC 3986).
    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
        default: "-._~!$&'()*+,;=:@/".utf8.contains(byte)
        }
    }
}
