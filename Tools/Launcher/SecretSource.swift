import Glibc

/// Where a secret is to be had when it is needed: the value of an option is the prefix and what is read.
struct SecretSource: Equatable, Sendable {
    enum Place: Equatable, Sendable {
        /// The first line of a file.
        case file(String)
        /// The first line of what a shell's command prints.
        case command(String)
    }

    let place: Place
    /// What the value begins with, such as `me:` or `Authorization: Bearer `.
    var prefix = ""

    /// The whole value.
    ///
    /// Errors never quote it.
    func read() throws(CommandError) -> String {
        let bytes =
            switch place {
            case .file(let path): try Self.read(path)
            case .command(let line): try ShellCommand.output(of: line)
            }
        let line = bytes.prefix { $0 != 0x0A && $0 != 0x0D }
        guard !line.isEmpty else {
            throw CommandError("\(name) gives an empty first line; the secret has to stand there")
        }
        guard let text = String(validating: line, as: UTF8.self) else {
            throw CommandError("\(name) gives no UTF-8; a secret has to be text")
        }
        return prefix + text
    }

    /// For errors; a command may have a secret in it.
    private var name: Sentence {
        switch place {
        case .file(let path): "\(path)"
        case .command: "the command"
        }
    }

    /// As ssh does with keys: what others can read is no secret.
    private static func read(_ path: String) throws(CommandError) -> [UInt8] {
        let file = try Descriptor(reading: path)
        if file.isRegular, file.permissions & 0o077 != 0 {
            throw CommandError("\(path): others can read or write it; chmod 600 it")
        }
        var bytes: [UInt8] = []
        while bytes.count < 64 << 10, !bytes.contains(0x0A) {
            let chunk = try file.read(upTo: 4096)
            if chunk.isEmpty { break }
            bytes += chunk
        }
        return bytes
    }
}
