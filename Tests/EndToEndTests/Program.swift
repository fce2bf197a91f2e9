import Glibc
import Synchronization
import WhirlLoopback

/// A program run as a user runs it: its own process, its own standard streams.
final class Program: Sendable {
    /// How it ended, and all that it wrote.
    struct Result: Sendable {
        /// The exit code, or 128 and the number of the signal that ended it.
        var exit: Int32
        var output: [UInt8]
        var complaints: [UInt8]
        var outputText: String { String(decoding: output, as: UTF8.self) }
        var complaintText: String { String(decoding: complaints, as: UTF8.self) }
    }

    let process: pid_t
    private let output: Int32
    private let complaints: Int32

    /// The built command, beside the test's own executable.
    static var whirl: String {
        var path = [CChar](repeating: 0, count: 4096)
        let count = unsafe readlink("/proc/self/exe", &path, path.count)
        let own = String(decoding: path.prefix(max(0, count)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
        return own.split(separator: "/").dropLast().map { "/" + $0 }.joined() + "/whirl"
    }

    /// The folder of the examples, beside this one.
    static var examples: String {
        #filePath.split(separator: "/").dropLast(2).map { "/" + $0 }.joined() + "/Examples"
    }

    /// Starts it with an empty standard input and no variables of ours but those given.
    init(_ path: String, _ arguments: [String], environment: [String: String] = [:], folder: String = "/") throws {
        // One at a time: a child of another thread may not inherit these ends, or nobody sees the end of the text.
        let started = Self.starting.withLock { _ in Self.start(path, arguments, environment, folder) }
        guard let started else { throw Fault(text: "cannot start \(path)") }
        (process, output, complaints) = started
    }

    private static let starting = Mutex(())

    private static func start(
        _ path: String, _ arguments: [String], _ environment: [String: String], _ folder: String
    ) -> (pid_t, Int32, Int32)? {
        let (outRead, outWrite) = makePipe()
        let (errRead, errWrite) = makePipe()
        var actions = unsafe posix_spawn_file_actions_t()
        unsafe posix_spawn_file_actions_init(&actions)
        defer { unsafe posix_spawn_file_actions_destroy(&actions) }
        unsafe posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        unsafe posix_spawn_file_actions_adddup2(&actions, outWrite, 1)
        unsafe posix_spawn_file_actions_adddup2(&actions, errWrite, 2)
        // Pipes of other tests: while a child has an end, its reader waits in vain. Closing what is not open is no error.
        for other in openDescriptors where other > 2 { unsafe posix_spawn_file_actions_addclose(&actions, other) }
        // The pool's threads block signals; a program is used to getting them.
        var attributes = posix_spawnattr_t()
        unsafe posix_spawnattr_init(&attributes)
        defer { unsafe posix_spawnattr_destroy(&attributes) }
        var none = sigset_t()
        unsafe sigemptyset(&none)
        var all = sigset_t()
        unsafe sigfillset(&all)
        unsafe posix_spawnattr_setsigmask(&attributes, &none)
        unsafe posix_spawnattr_setsigdefault(&attributes, &all)
        unsafe posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
        var variables = ["PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "HOME": "/nonexistent", "LC_ALL": "C.UTF-8"]
        variables.merge(environment) { $1 }
        var process: pid_t = 0
        let words = ["env", "-C", folder, path] + arguments
        let result = unsafe withVectors(words, variables.map { "\($0)=\($1)" }) { words, variables in
            unsafe posix_spawn(&process, "/usr/bin/env", &actions, &attributes, words, variables)
        }
        close(outWrite)
        close(errWrite)
        return result == 0 ? (process, outRead, errRead) : nil
    }

    struct Fault: Error { let text: String }

    func signal(_ number: Int32) { kill(process, number) }

    /// Waits for its end; it may write as much as it likes.
    func wait() async throws -> Result { try await aside { self.waitHere() } }

    private func waitHere() -> Result {
        var texts: [Int32: [UInt8]] = [output: [], complaints: []]
        var open = [output, complaints]
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while !open.isEmpty {
            var waiting = open.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
            unsafe poll(&waiting, nfds_t(waiting.count), -1)
            for each in waiting where each.revents != 0 {
                let count = unsafe read(each.fd, &buffer, buffer.count)
                if count > 0 {
                    texts[each.fd, default: []] += buffer.prefix(count)
                } else {
                    open.removeAll { $0 == each.fd }
                    close(each.fd)
                }
            }
        }
        var status: Int32 = 0
        while unsafe waitpid(process, &status, 0) < 0, errno == EINTR {}
        let exit = status & 0x7F == 0 ? (status >> 8) & 0xFF : 128 + (status & 0x7F)
        return Result(exit: exit, output: texts[output] ?? [], complaints: texts[complaints] ?? [])
    }

    /// Runs it to its end.
    static func run(
        _ path: String, _ arguments: [String], environment: [String: String] = [:], folder: String = "/"
    ) async throws -> Result {
        try await Program(path, arguments, environment: environment, folder: folder).wait()
    }

    private static var openDescriptors: [Int32] {
        TemporaryFolder.names(in: "/proc/self/fd").compactMap { Int32($0) }
    }

    private static func makePipe() -> (read: Int32, write: Int32) {
        var ends: [Int32] = [-1, -1]
        unsafe pipe(&ends)
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        return (ends[0], ends[1])
    }

    private static func withVectors(
        _ words: [String], _ variables: [String],
        _ body: ([UnsafeMutablePointer<CChar>?], [UnsafeMutablePointer<CChar>?]) -> Int32
    ) -> Int32 {
        let words = unsafe words.map { unsafe strdup($0) } + [nil]
        let variables = unsafe variables.map { unsafe strdup($0) } + [nil]
        defer { unsafe (words + variables).forEach { unsafe free($0) } }
        return unsafe body(words, variables)
    }
}
