import Glibc

/// A real terminal: a shell in tmux, on a socket of its own.
final class Terminal: Sendable {
    private let socket: String
    private let folder: String

    /// A shell in a window of that size, in that folder.
    init(columns: Int, rows: Int, folder: String, environment: [String: String] = [:]) throws {
        socket = folder + "/tmux"
        self.folder = folder
        try tmux(
            "-f", "/dev/null", "new-session", "-d", "-x", "\(columns)", "-y", "\(rows)",
            "env", "PS1=$ ", "LC_ALL=C.UTF-8", "bash", "--norc", "--noprofile")
        try until { $0.contains("$") }
    }

    deinit { _ = try? tmux("kill-server") }

    @discardableResult
    private func tmux(_ words: String...) throws -> String {
        let words = ["-S", socket] + words
        let run = try Program.run("tmux", words, environment: ["TERM": "xterm-256color"], folder: folder)
        guard run.exit == 0 else { throw Program.Fault(text: "tmux \(words): \(run.complaintText)") }
        return run.outputText
    }

    /// Types a line and Return.
    func enter(_ line: String) throws { try tmux("send-keys", line, "Enter") }

    /// Presses a key by tmux's name for it.
    func press(_ key: String) throws { try tmux("send-keys", key) }

    func resize(columns: Int, rows: Int) throws {
        try tmux("resize-window", "-x", "\(columns)", "-y", "\(rows)")
    }

    /// The lines that can be seen.
    var screen: String { (try? tmux("capture-pane", "-p")) ?? "" }

    /// What tmux knows of the terminal: whether a program has taken the whole screen, and whether the cursor shows.
    var modes: String { (try? tmux("display", "-p", "#{alternate_on} #{cursor_flag}"))?.trimmed ?? "" }

    /// Looks again and again, for up to 20 s, until the screen is so: a terminal tells nobody when it has been drawn.
    @discardableResult
    func until(_ condition: (String) -> Bool) throws -> String {
        var last = ""
        for _ in 0..<1000 {
            last = screen
            if condition(last) { return last }
            _ = poll(nil, 0, 20)
        }
        throw Program.Fault(text: "the screen never came to be as expected:\n\(last)")
    }
}

extension String {
    fileprivate var trimmed: String { String(split(separator: "\n").first ?? "") }
}
