import WhirlBoard
import WhirlCore

/// One line of the log, before it is text.
struct LogLine: Equatable {
    enum Level: String {
        case info = "INFO", warn = "WARN", error = "ERROR"
    }
    /// A line is at most so many bytes, its line feed included: one write of it to a pipe is never torn.
    static let mostBytes = 4096
    /// Longer values would push the rest of the line out.
    private static let mostColumns = 1200

    var level = Level.info
    /// One word.
    var event: String
    var task: TaskID?
    /// The task's name, cleaned.
    var name = ""
    /// Numbers for people, in a fixed order.
    var facts: [String] = []
    /// `key=value`, for whoever searches.
    var fields: [(key: String, value: String)] = []
    /// Comes last.
    var note = ""

    static func == (one: LogLine, other: LogLine) -> Bool { one.text == other.text }

    /// All after the time; `colored` marks the level.
    var text: String { text(colored: false) }

    func text(colored: Bool) -> String {
        var parts = [colored ? color + padded(level.rawValue, 5) + "\u{1B}[m" : padded(level.rawValue, 5)]
        let details =
            (task.map { ["#\($0.number)"] } ?? []) + (name.isEmpty ? [] : [quoted(name)]) + facts
            + fields.map { "\($0.key)=\(quoted($0.value))" } + (note.isEmpty ? [] : [note])
        parts.append(details.isEmpty ? event : padded(event, 6))
        return (parts + details).joined(separator: " ")
    }

    private var color: String {
        switch level {
        case .info: event == "done" ? "\u{1B}[32m" : "\u{1B}[36m"
        case .warn: "\u{1B}[33m"
        case .error: "\u{1B}[1;31m"
        }
    }

    private func padded(_ word: String, _ width: Int) -> String {
        word + String(repeating: " ", count: max(0, width - word.utf8.count))
    }

    /// In quotes where it would otherwise be taken for two.
    private func quoted(_ text: String) -> String {
        let text = Columns().fit(text, Self.mostColumns)
        guard text.isEmpty || text.contains(where: { $0 == " " || $0 == "\"" }) else { return text }
        return "\"" + text.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\\\"") + "\""
    }

    /// The whole line with its time and its line feed.
    func bytes(time: String, colored: Bool) -> [UInt8] {
        var bytes = Array((time + "  " + text(colored: colored)).utf8)
        if bytes.count >= Self.mostBytes {
            bytes.removeSubrange((Self.mostBytes - 8)...)
            while let last = bytes.last, last & 0xC0 == 0x80 { bytes.removeLast() }
            if let last = bytes.last, last >= 0xC0 { bytes.removeLast() }
            bytes += "...".utf8
        }
        bytes.append(UInt8(ascii: "\n"))
        return bytes
    }
}
