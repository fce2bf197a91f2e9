import Glibc

/// A file without a name, to write to and look at.
final class TestFile: Sendable {
    let descriptor: Int32

    init() {
        var template = Array("/tmp/whirl-test-XXXXXX".utf8CString)
        descriptor = unsafe mkstemp(&template)
        unsafe unlink(template)
    }

    deinit { close(descriptor) }

    var bytes: [UInt8] {
        var bytes = [UInt8](repeating: 0, count: Int(lseek(descriptor, 0, SEEK_END)))
        let count = unsafe bytes.withUnsafeMutableBytes { unsafe pread(descriptor, $0.baseAddress, $0.count, 0) }
        return Array(bytes[..<max(0, count)])
    }

    var text: String { String(decoding: bytes, as: UTF8.self) }
    var lines: [String] { text.split(separator: "\n").map(String.init) }
}

/// Both ends of a pipe.
final class TestPipe: Sendable {
    let reader: Int32
    let writer: Int32

    init() {
        var ends: [Int32] = [0, 0]
        unsafe pipe(&ends)
        (reader, writer) = (ends[0], ends[1])
    }

    func closeReader() { close(reader) }
    func closeWriter() { close(writer) }

    /// Bytes, as they come, until `count` are there or the other end is closed.
    func read(_ count: Int = .max) -> [UInt8] {
        var all: [UInt8] = []
        var part = [UInt8](repeating: 0, count: 4096)
        while all.count < count {
            let got = unsafe part.withUnsafeMutableBytes {
                unsafe Glibc.read(reader, $0.baseAddress, min($0.count, count - all.count))
            }
            guard got > 0 else { break }
            all += part[..<got]
        }
        return all
    }

    /// Bytes up to the line feed.
    func readLine() -> String {
        var line: [UInt8] = []
        while let byte = read(1).first, byte != UInt8(ascii: "\n") { line.append(byte) }
        return String(decoding: line, as: UTF8.self)
    }
}
