import Glibc
import WhirlLoopback

/// What this process has of the machine.
struct ProcessFigures {
    /// Resident memory in KiB.
    let memory: Int
    /// The most of it so far.
    let peak: Int
    let threads: Int
    let descriptors: Int

    init() throws {
        let file = unsafe open("/proc/self/status", O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { throw PromiseNotJudged("there is no /proc") }
        defer { close(file) }
        var buffer = [UInt8](repeating: 0, count: 8192)
        let count = unsafe read(file, &buffer, buffer.count)
        var numbers: [Substring: Int] = [:]
        for line in String(decoding: buffer.prefix(max(0, count)), as: UTF8.self).split(separator: "\n") {
            let words = line.split { $0 == ":" || $0 == "\t" || $0 == " " }
            if words.count > 1, let number = Int(words[1]) { numbers[words[0]] = number }
        }
        memory = numbers["VmRSS"] ?? 0
        peak = numbers["VmHWM"] ?? 0
        threads = numbers["Threads"] ?? 0
        descriptors = TemporaryFolder.names(in: "/proc/self/fd").count
    }
}
