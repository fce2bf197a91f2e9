#if NCurses
import CWhirlNCurses
import Glibc

/// Keeps in memory what is written to a terminal's descriptor while the screen is up, which would paint over it and be
/// lost with it, and writes it out afterwards.
struct HeldOutput: Sendable {
    private let target: Int32
    private let original: Int32
    private let memory: Int32

    /// Begins to hold; nil, with nothing changed, when the descriptor is no terminal (a log file may be read meanwhile).
    init?(_ descriptor: Int32) {
        guard isatty(descriptor) == 1 else { return nil }
        target = descriptor
        original = fcntl(descriptor, F_DUPFD_CLOEXEC, 3)
        memory = unsafe whirl_memory_file("stderr")
        guard original >= 0, memory >= 0, dup2(memory, target) == target else {
            for descriptor in [original, memory] where descriptor >= 0 { close(descriptor) }
            return nil
        }
    }

    /// Gives the descriptor back and writes what was held, through `scratch`.
    ///
    /// Safe in a signal handler; call it once.
    func release(scratch: UnsafeMutableRawBufferPointer) {
        dup2(original, target)
        lseek(memory, 0, SEEK_SET)
        while true {
            let count = unsafe read(memory, scratch.baseAddress, scratch.count)
            guard count > 0 else { break }
            var done = 0
            while done < count {
                let written = unsafe write(target, scratch.baseAddress?.advanced(by: done), count - done)
                if written < 0 && errno == EINTR { continue }
                guard written > 0 else { break }
                done += written
            }
        }
        close(memory)
        close(original)
    }
}
#endif
