import Glibc
import Synchronization
import WhirlLoopback

/// A real terminal: a shell in tmux, on a socket of its own.
final class Terminal: Sendable {
    private let socket: String
    private let folder: String
    /// One that has been hung up may not be gone yet.
    private static let made = Atomic(0)
    /// Tmux itself, which outlives the command that starts it.
    private let server = Mutex<pid_t?>(nil)

    /// A shell in a window of that size, in that folder.
    init(columns: Int, rows: Int, folder: String) async throws {
        socket = "\(folder)/tmux\(Self.made.add(1, ordering: .relaxed).newValue)"
        self.folder = folder
        try await tmux(
            "-f", "/dev/null", "new-session", "-d", "-x", "\(columns)", "-y", "\(rows)",
            "env", "PS1=$ ", "LC_ALL=C.UTF-8", "bash", "--norc", "--noprofile")
        let text = try await tmux("display", "-p", "#{pid}").trimmed
        server.withLock { $0 = pid_t(text) }
        try await until { $0.contains("$") }
    }

    deinit { if let server = server.withLock({ $0 }) { kill(server, SIGTERM) } }

    @discardableResult
    private func tmux(_ words: String...) async throws -> String {
        let words = ["-S", socket] + words
        let run = try await Program.run("tmux", words, environment: ["TERM": "xterm-256color"], folder: folder)
        guard run.exit == 0 else { throw Program.Fault(text: "tmux \(words): \(run.complaintText)") }
        return run.outputText
    }

    /// Types a line and Return.
    func enter(_ line: String) async throws { try await tmux("send-keys", line, "Enter") }

    /// Presses a key by tmux's name for it.
    func press(_ key: String) async throws { try await tmux("send-keys", key) }

    func resize(columns: Int, rows: Int) async throws {
        try await tmux("resize-window", "-x", "\(columns)", "-y", "\(rows)")
    }

    /// The lines that can be seen.
    var screen: String {
        get async throws { try await tmux("capture-pane", "-p") }
    }

    /// What tmux knows of the terminal: whether a program has taken the whole screen, and whether the cursor shows.
    var modes: String {
        get async throws { try await tmux("display", "-p", "#{alternate_on} #{cursor_flag}").trimmed }
    }

    /// Lines that have left the screen at its top.
    var history: String {
        get async throws { try await tmux("display", "-p", "#{history_size}").trimmed }
    }

    /// Closes the window, as a person does: whatever runs in it is hung up.
    func hangUp() async throws { _ = try? await tmux("kill-server") }

    /// Looks again and again, for up to 20 s, until the screen is so: a terminal tells nobody when it has been drawn.
    @discardableResult
    func until(_ condition: (String) -> Bool) async throws -> String {
        var last = ""
        for _ in 0..<1000 {
            last = try await screen
            if condition(last) { return last }
            _ = try await aside { poll(nil, 0, 20) }
        }
        throw Program.Fault(text: "the screen never came to be as expected:\n\(last)")
    }
}

extension String {
    fileprivate var trimmed: String { String(split(separator: "\n").first ?? "") }
}
