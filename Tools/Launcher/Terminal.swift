import Glibc
import WhirlBoard

/// What is known of the terminal.
enum Terminal {
    /// Where the command runs, for the choice of a frontend.
    static func surroundings(_ environment: [String: String]) -> FrontendChoice.Surroundings {
        FrontendChoice.Surroundings(
            isTerminal: isatty(STDERR_FILENO) == 1, term: environment["TERM"], ci: environment["CI"],
            accessible: environment["ACCESSIBLE"], isUsable: isInForeground)
    }

    /// Asks for a password at the terminal, whatever the standard streams are, and shows nothing of it.
    static func password(for name: String) throws(CommandError) -> String {
        let terminal = unsafe open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY)
        var usual = termios()
        guard terminal >= 0, unsafe tcgetattr(terminal, &usual) == 0 else {
            throw CommandError("there is no terminal to ask for the password at; write NAME:PASS, or use --netrc")
        }
        defer { close(terminal) }
        var silent = usual
        // Ctrl-C comes as a byte; what comes as a signal gives the terminal back before it ends the process.
        silent.c_lflag &= ~tcflag_t(ECHO | ICANON | ISIG)
        let watch = SilenceWatch(terminal, usual)
        defer { watch.end() }
        unsafe tcsetattr(terminal, TCSAFLUSH, &silent)
        Output.write("Password for \(clean(name)): ", to: terminal)
        let password = readLine(terminal)
        Output.write("\n", to: terminal)
        unsafe tcsetattr(terminal, TCSADRAIN, &usual)  // what was typed ahead is the next reader's
        switch password {
        case .success(let bytes): return String(decoding: bytes, as: UTF8.self)
        case .failure(.interrupted): Signals.end(by: SIGINT)
        case .failure(.ended): throw CommandError("no password was given; write NAME:PASS, or use --netrc")
        }
    }

    private enum NoLine: Error { case interrupted, ended }

    /// The bytes up to Return, as the keys for erasing leave them.
    private static func readLine(_ terminal: Int32) -> Result<[UInt8], NoLine> {
        var line: [UInt8] = []
        var byte: UInt8 = 0
        while true {
            let count = unsafe read(terminal, &byte, 1)
            if count < 0, errno == EINTR { continue }
            guard count == 1 else { return .failure(.ended) }
            switch byte {
            case 0x0A, 0x0D: return .success(line)
            case 0x03: return .failure(.interrupted)
            case 0x04 where line.isEmpty: return .failure(.ended)
            case 0x15: line = []
            case 0x08, 0x7F:
                while let last = line.popLast(), last & 0xC0 == 0x80 {}
            case 0..<0x20: break
            default: line.append(byte)
            }
        }
    }

    /// Whether there is a terminal of our own that takes what we write.
    private static var isInForeground: Bool {
        let terminal = unsafe open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY)
        guard terminal >= 0 else { return false }
        defer { close(terminal) }
        return tcgetpgrp(terminal) == getpgrp()
    }
}
