import Glibc
import Synchronization
import Testing
import WhirlBoard
import WhirlCore

@Suite(.timeLimit(.minutes(1))) struct LineWriterTests {
    /// A system call that does, one after another, what the test says, and then writes all.
    private static func scripted(_ steps: [Int], into taken: TestFile) -> LineWriter {
        let left = Mutex(steps)
        return LineWriter(taken.descriptor) { descriptor, bytes in
            let step = left.withLock { $0.isEmpty ? Int.max : $0.removeFirst() }
            guard step > 0 else { return step }
            let count = min(step, bytes.byteCount)
            return unsafe bytes.extracting(first: count).withUnsafeBytes {
                unsafe write(descriptor, $0.baseAddress, $0.count)
            }
        }
    }

    @Test("Interrupted, refused and short writes go on until all is written")
    func goesOn() throws {
        let file = TestFile()
        let writer = Self.scripted([-Int(EINTR), 3, -Int(EAGAIN), 1, 0, -Int(EINTR), 2], into: file)
        try writer.write(Array("one line\n".utf8))
        #expect(file.text == "one line\n")
    }

    @Test(
        "What is final is told, with what was written",
        arguments: [(EPIPE, true), (ECONNRESET, true), (ENOSPC, false), (EIO, false), (EBADF, false)])
    func tells(_ number: Int32, _ isReaderGone: Bool) {
        let file = TestFile()
        let writer = Self.scripted([4, -Int(number)], into: file)
        let failure = #expect(throws: LineWriter.Failure.self) { try writer.write(Array("one line\n".utf8)) }
        #expect(failure == LineWriter.Failure(number: number, written: 4))
        #expect(failure?.isReaderGone == isReaderGone)
        #expect(file.text == "one ")
    }

    @Test("A full disk is told in the system's words")
    func fullDisk() {
        let full = unsafe open("/dev/full", O_WRONLY)
        defer { close(full) }
        let failure = #expect(throws: LineWriter.Failure.self) { try LineWriter(full).write([10]) }
        #expect(failure?.description == "No space left on device")
    }

    @Test("On a thread of ours a pipe that nobody reads is an error and no signal")
    func brokenPipe() throws {
        let pipe = TestPipe()
        pipe.closeReader()
        let number = Atomic<Int32>(0)
        let thread = try WorkerThread {
            do { try LineWriter(pipe.writer).write([10]) } catch {
                number.store((error as? LineWriter.Failure)?.number ?? -1, ordering: .relaxed)
            }
        }
        thread.join()
        pipe.closeWriter()
        let found = number.load(ordering: .relaxed)
        #expect(found == EPIPE)
    }

    @Test("Nothing is lost in a full pipe that does not block")
    func nonBlocking() throws {
        let pipe = TestPipe()
        _ = fcntl(pipe.writer, F_SETFL, O_NONBLOCK)
        let sent = (0..<50_000).flatMap { Array("line \($0)\n".utf8) }
        let failed = Atomic(false)
        let thread = try WorkerThread {
            do { try LineWriter(pipe.writer).write(sent) } catch { failed.store(true, ordering: .relaxed) }
            pipe.closeWriter()
        }
        let got = pipe.read()
        thread.join()
        pipe.closeReader()
        let isFailed = failed.load(ordering: .relaxed)
        #expect(!isFailed)
        #expect(got == sent)
    }

    @Test("A waker ends the wait under way or the next, and is told any number of times")
    func wakes() throws {
        let waker = try Waker()
        for _ in 0..<1000 { waker.wake() }
        waker.wait(atMost: nil)
        let before = monotonicNanoseconds()
        waker.wait(atMost: 0.01)
        #expect(monotonicNanoseconds() - before >= 10_000_000)
        let done = Atomic(0)
        let thread = try WorkerThread {
            while done.load(ordering: .acquiring) < 1000 { waker.wait(atMost: nil) }
        }
        for _ in 0..<1000 {
            done.add(1, ordering: .releasing)
            waker.wake()
        }
        thread.join()
    }
}
