import Glibc
import Synchronization
import Testing
import WhirlBoard
import WhirlCore

@testable import WhirlPlainLog

@Suite struct LogSinkTests {
    /// A descriptor with so much room before the error.
    private final class Sink: Sendable {
        struct State {
            var text: [UInt8] = []
            var room = Int.max
            var number = ENOSPC
        }
        let state = Mutex(State())

        var writer: LineWriter {
            LineWriter(-1) { [self] _, bytes in
                state.withLock { state in
                    let count = min(state.room, bytes.byteCount)
                    guard count > 0 else { return -Int(state.number) }
                    unsafe bytes.extracting(first: count).withUnsafeBytes { unsafe state.text.append(contentsOf: $0) }
                    if state.room != .max { state.room -= count }
                    return count
                }
            }
        }
        func setRoom(_ room: Int) { state.withLock { $0.room = room } }
        var text: String { String(decoding: state.withLock { $0.text }, as: UTF8.self) }
    }

    private func line(_ number: Int) -> [UInt8] { Array("line \(number)\n".utf8) }

    @Test("After a full disk the torn line is ended, and what waited follows, 5 s later", arguments: 0...7)
    func recovers(_ room: Int) {
        let sink = Sink()
        var log = LogSink(sink.writer)
        log.put(line(0), at: 0)
        sink.setRoom(room)
        log.put(line(1), at: 0)
        log.put(line(2), at: 1)
        sink.setRoom(.max)
        log.flush(at: 4_999_999_999)
        #expect(log.reason == "No space left on device")
        log.flush(at: 6_000_000_000)
        log.put(line(3), at: 6_000_000_000)
        #expect(log.reason == nil)
        let lines = sink.text.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
        let whole = lines.filter { $0.utf8.count == 6 }
        #expect(whole == ["line 0", "line 1", "line 2", "line 3"])
        #expect(lines.count <= 5)
    }

    @Test("Of what waits the newest lines are kept, and the others counted")
    func keeps() {
        let sink = Sink()
        var log = LogSink(sink.writer)
        sink.setRoom(0)
        for number in 0..<10_005 { log.put(line(number), at: 0) }
        sink.setRoom(.max)
        log.flush(isLast: true, at: 1)
        let lines = sink.text.split(separator: "\n")
        #expect(lines.first == "whirl: 5 lines are missing here: No space left on device")
        #expect(lines.count == 10_001 && lines.last == "line 10004")
    }

    @Test("When nobody reads it, it is off for good", arguments: [EPIPE, EBADF])
    func off(_ number: Int32) {
        let sink = Sink()
        var log = LogSink(sink.writer)
        sink.state.withLock { ($0.room, $0.number) = (0, number) }
        log.put(line(0), at: 0)
        sink.setRoom(.max)
        log.put(line(1), at: 0)
        log.flush(isLast: true, at: 9_000_000_000)
        #expect(log.reason == nil && sink.text.isEmpty)
    }
}
