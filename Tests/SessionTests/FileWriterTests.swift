import Glibc
import Testing
import WhirlLoopback

@testable import WhirlSession

@Suite("A file's bytes on their way to the disk", .timeLimit(.minutes(2))) struct FileWriterTests {
    /// Bytes that tell where they stand, a few in every thousand.
    private static func body(_ count: Int, of file: Int) -> [UInt8] {
        var bytes = [UInt8](repeating: UInt8(file), count: count)
        for position in stride(from: 0, to: count - 8, by: 1000) {
            for byte in 0..<4 { bytes[position + byte] = UInt8(truncatingIfNeeded: position >> (8 * byte)) }
        }
        return bytes
    }

    private static func isSame(_ one: [UInt8]?, _ other: some Collection<UInt8>) -> Bool {
        guard let one, one.count == other.count else { return false }
        return unsafe memcmp(one, Array(other), one.count) == 0
    }

    /// Gives the body in pieces of changing sizes.
    private static func give(_ body: [UInt8], to writer: inout FileWriter) -> Int32 {
        var sizes = SystemRandomNumberGenerator()
        var start = 0
        while start < body.count {
            let end = min(body.count, start + Int.random(in: 1...100_000, using: &sizes))
            let failure = unsafe body.withUnsafeBytes {
                unsafe writer.take(UnsafeRawBufferPointer(rebasing: $0[start..<end]), isLast: end == body.count)
            }
            guard failure == 0 else { return failure }
            start = end
        }
        return writer.flush()
    }

    @Test("many large files at once are whole, and so are their digests", arguments: [1, 5])
    func whole(_ files: Int) async throws {
        let folder = try Folder()
        let behind = WriteBehind()
        let wrong = await withTaskGroup { group in
            for number in 0..<files {
                group.addTask { Self.isWrong(number, in: folder, behind) }
            }
            return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(wrong == 0)
        // No file and no right is left behind.
        let pieces = (0..<3).map { _ in behind.takePiece() }
        #expect(pieces.map { $0 != nil } == [true, true, false])
        if let piece = pieces[0] { behind.giveBack(piece) }
        #expect(behind.takePiece() != nil)
    }

    private static func isWrong(_ number: Int, in folder: Folder, _ behind: WriteBehind) -> Bool {
        let path = "\(folder.path)/f\(number)"
        let body = body(2_500_000 + number * 77_777, of: number)
        var writer = FileWriter(behind, syncs: number % 2 == 0)
        writer.file = unsafe open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        writer.isEmpty = true
        let failures = [writer.begin(at: 0, isCut: true, [.sha256]), give(body, to: &writer)]
        let running = writer.digests?.finish()[.sha256]
        let read = try? FileDigests.of(writer.file, [.sha256], path)[.sha256]
        let (count, offset) = (lseek(writer.file, 0, SEEK_END), writer.offset)
        writer.close()
        let written = folder.read("f\(number)")
        return failures != [0, 0] || running != read || running == nil || offset != count || !isSame(written, body)
    }

    @Test("what is taken back is written once more, and nothing of what was there before is left")
    func restart() throws {
        let folder = try Folder()
        var writer = FileWriter(WriteBehind(), syncs: false)
        writer.file = unsafe open("\(folder.path)/f", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        #expect(writer.begin(at: 0, isCut: true, []) == 0)
        #expect(Self.give(Self.body(2_000_000, of: 1), to: &writer) == 0)
        #expect(writer.begin(at: 0, isCut: true, [.md5]) == 0)
        #expect(Self.give(Self.body(1_000_000, of: 2), to: &writer) == 0)
        #expect(writer.begin(at: 700_000, isCut: true, [.md5]) == 0)
        #expect(writer.digests == nil)
        #expect(writer.end == 700_000)
        writer.close()
        #expect(Self.isSame(folder.read("f"), Self.body(1_000_000, of: 2)[..<700_000]))
    }

    @Test("a large file for which nothing comes holds nobody back, and goes on where it was")
    func rest() throws {
        let folder = try Folder()
        let behind = WriteBehind()
        var writer = FileWriter(behind, syncs: false)
        writer.file = unsafe open("\(folder.path)/f", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        #expect(writer.begin(at: 0, isCut: true, []) == 0)
        let body = Self.body(1_000_000, of: 3)
        #expect(Self.give(Array(body[..<600_000]), to: &writer) == 0)
        for _ in 0..<100 { behind.enter() }
        #expect(behind.takePiece() == nil)
        for _ in 0..<100 { behind.leave() }
        writer.rest()
        #expect(behind.takePiece() != nil && behind.takePiece() != nil && behind.takePiece() == nil)
        #expect(Self.give(Array(body[600_000...]), to: &writer) == 0)
        writer.close()
        #expect(Self.isSame(folder.read("f"), body))
        let late = unsafe body.withUnsafeBytes { unsafe writer.take($0, isLast: true) }
        #expect(late == EBADF)
    }

    @Test("a piece that can't be written is told of by the next call, and by every call until it starts over")
    func failure() {
        var writer = FileWriter(WriteBehind(), syncs: true)
        writer.file = unsafe open("/dev/full", O_RDWR | O_CLOEXEC)
        writer.isEmpty = true
        #expect(writer.begin(at: 0, isCut: true, []) == 0)
        #expect(Self.give(Self.body(1_500_000, of: 1), to: &writer) == ENOSPC)
        #expect(writer.flush() == ENOSPC)
        #expect(writer.begin(at: writer.offset, isCut: false, []) == ENOSPC)
        writer.isEmpty = true
        #expect(writer.begin(at: 0, isCut: true, []) == 0)
        #expect(writer.flush() == 0)
        writer.close()
    }
}
