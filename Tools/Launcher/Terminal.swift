import Glibc

/// What is known of the terminal.
enum Terminal {
    /// Where the command runs, for the choice of a frontend.
    static func surroundings(_ environment: [String: String]) -> FrontendChoice.Surroundings {
        FrontendChoice.Surroundings(
            isTerminal: isatty(STDERR_FILENO) == 1, term: environment["TERM"], ci: environment["CI"],
            accessible: environment["ACCESSIBLE"], isUsable: isInForeground)
    }

    /// Whether there is a terminal of our own that takes what we write.
    private static var isInForeground: Bool {
        let terminal = unsafe open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY)
        guard terminal >= 0 else { return false }
        defer { close(terminal) }
        return tcgetpgrp(terminal) == getpgrp()
    }
}
