import Glibc

/// A command that a configuration names.
enum ShellCommand {
    /// What it prints until it ends, at most 64 KiB.
    ///
    /// It has our standard error and terminal, so that it can ask, and nothing to read. What it leaves running does not
    /// count. Throws when it fails, or takes longer than `patience` seconds, which is time enough for somebody to type.
    static func output(of line: String, patience: Int = 300) throws(CommandError) -> [UInt8] {
        var ends: [Int32] = [-1, -1]
        guard unsafe pipe(&ends) == 0 else { throw failure(errno) }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        let started = start(line, output: ends[1])
        close(ends[1])
        guard started.code == 0 else {
            close(ends[0])
            throw failure(started.code)
        }
        var child = Child(process: started.process, output: ends[0])
        let deadline = ContinuousClock.now + .seconds(patience)
        let bytes = child.read(atMost: limit, until: deadline)
        close(ends[0])  // before it is waited for: what it still has to say would hold it up
        guard let status = child.wait(until: deadline) else {
            child.kill()
            throw CommandError("the command has not ended after \(patience) s; try it in a shell")
        }
        // One that had more to say has found that nobody reads it.
        guard status == 0 || bytes.count >= limit else {
            let how = status & 0x7F == 0 ? "exit code \(status >> 8 & 0xFF)" : "signal \(status & 0x7F)"
            throw CommandError("the command ended with \(how); try it in a shell")
        }
        return bytes
    }

    private static let limit = 64 << 10

    private static func failure(_ number: Int32) -> CommandError {
        CommandError("the command can't be started: \(Descriptor.reason(number)); try it in a shell", exit: 3)
    }

    private static func start(_ line: String, output: Int32) -> (code: Int32, process: pid_t) {
        var actions = unsafe posix_spawn_file_actions_t()
        unsafe posix_spawn_file_actions_init(&actions)
        defer { unsafe posix_spawn_file_actions_destroy(&actions) }
        unsafe posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
        unsafe posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO)
        var attributes = posix_spawnattr_t()
        unsafe posix_spawnattr_init(&attributes)
        defer { unsafe posix_spawnattr_destroy(&attributes) }
        // What whirl ignores for itself would stay ignored in the command.
        var ignored = sigset_t()
        unsafe sigemptyset(&ignored)
        for number in [SIGPIPE, SIGXFSZ] { unsafe sigaddset(&ignored, number) }
        unsafe posix_spawnattr_setsigdefault(&attributes, &ignored)
        unsafe posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF))
        let words = unsafe ["sh", "-c", line].map { (word: String) in unsafe strdup(word) } + [nil]
        defer { unsafe words.forEach { unsafe free($0) } }
        var process: pid_t = 0
        let code = unsafe posix_spawn(&process, "/bin/sh", &actions, &attributes, words, environ)
        return (code, process)
    }
}
