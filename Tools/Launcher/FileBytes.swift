import Glibc

/// Reading files by descriptors.
enum FileBytes {
    /// Whether two paths lead to one regular file.
    static func areSame(_ path: String, _ other: String) -> Bool {
        var (one, two) = (stat(), stat())
        guard unsafe stat(path, &one) == 0, unsafe stat(other, &two) == 0 else { return false }
        return one.st_mode & S_IFMT == S_IFREG && one.st_dev == two.st_dev && one.st_ino == two.st_ino
    }

    /// Whether a regular file is there.
    static func isRegular(_ path: String) -> Bool {
        var status = stat()
        return unsafe stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
    }

    /// All bytes of a file, when they are at most `limit`.
    static func read(_ path: String, atMost limit: Int) throws(CommandError) -> [UInt8] {
        try Descriptor(reading: path).bytes(atMost: limit)
    }
}

/// An open file.
final class Descriptor: Sendable {
    let number: Int32
    /// For errors.
    let name: String
    private let isOwned: Bool

    /// Opens the file at `path`.
    init(reading path: String) throws(CommandError) {
        name = path
        isOwned = true
        number = unsafe open(path, O_RDONLY | O_CLOEXEC)
        let failure = errno
        guard number >= 0 else { throw CommandError("\(path): \(Self.trouble(failure))") }
        guard kind != S_IFDIR else { throw CommandError("\(path): \(Self.trouble(EISDIR))") }
    }

    /// The standard input.
    static let standardInput = Descriptor(number: STDIN_FILENO, name: "stdin")

    private init(number: Int32, name: String) {
        self.number = number
        self.name = name
        isOwned = false
    }

    deinit { if isOwned, number >= 0 { close(number) } }

    /// Whether it has an end that is known from the start.
    var isRegular: Bool { kind == S_IFREG }

    /// Where the bytes of a regular file are that have not been read.
    func rest() throws(CommandError) -> Range<Int> {
        let start = Int(lseek(number, 0, SEEK_CUR))
        guard start >= 0, let status else {
            throw CommandError("\(name): \(Self.trouble(errno))")
        }
        return start..<max(start, Int(status.st_size))
    }

    /// What its owner, its group and others may do with it.
    var permissions: mode_t { (status?.st_mode ?? 0) & 0o777 }

    var owner: uid_t? { status?.st_uid }

    private var kind: mode_t? { status.map { $0.st_mode & S_IFMT } }

    private var status: stat? {
        var status = stat()
        return unsafe fstat(number, &status) == 0 ? status : nil
    }

    /// All that is left of it, when that is at most `limit`.
    func bytes(atMost limit: Int) throws(CommandError) -> [UInt8] {
        var bytes: [UInt8] = []
        while case let chunk = try read(upTo: 64 << 10), !chunk.isEmpty {
            bytes += chunk
            guard bytes.count <= limit else {
                throw CommandError("\(name): larger than \(limit >> 10) KiB; look whether it is the right file")
            }
        }
        return bytes
    }

    /// The next bytes, or those at `offset`, at most `count`; none at the end.
    ///
    /// Waits for them.
    func read(upTo count: Int, at offset: Int? = nil) throws(CommandError) -> [UInt8] {
        var failure: Int32 = 0
        let bytes = unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            var got: Int
            repeat {
                got =
                    if let offset {
                        unsafe pread(number, buffer.baseAddress, count, off_t(offset))
                    } else {
                        unsafe Glibc.read(number, buffer.baseAddress, count)
                    }
                if got < 0, errno == EAGAIN { Self.wait(number) }
            } while got < 0 && (errno == EINTR || errno == EAGAIN)
            if got < 0 { failure = errno }
            filled = max(0, got)
        }
        guard failure == 0 else { throw CommandError("\(name): \(Self.trouble(failure))") }
        return bytes
    }

    private static func wait(_ number: Int32) {
        var request = pollfd(fd: number, events: Int16(POLLIN), revents: 0)
        _ = unsafe poll(&request, 1, -1)
    }

    /// What the number of an error means, and what can be done.
    static func trouble(_ number: Int32) -> Sentence {
        let advice: Sentence =
            switch number {
            case EISDIR: "name a file"
            case EACCES, EPERM: "look whose it is, and who may read it"
            case EMFILE, ENFILE: "raise the limit of open files (ulimit -n)"
            case EIO: "look whether the disk is well"
            default: "look whether the name is right"
            }
        return "\(reason(number)); \(advice)"
    }

    /// What the number of an error means.
    static func reason(_ number: Int32) -> String {
        unsafe strerror(number).map { unsafe String(cString: $0) } ?? "error \(number)"
    }
}
