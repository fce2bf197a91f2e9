import Glibc
import WhirlBoard

/// Writes the command's own few words.
enum Output {
    /// Writes all of `text`; gives up in silence when nobody can read it.
    static func write(_ text: String, to descriptor: Int32) {
        try? LineWriter(descriptor).write(Array(text.utf8))
    }

    /// A line on the standard error.
    static func complain(_ message: Sentence) { write("whirl: \(clean(message.text))\n", to: STDERR_FILENO) }
}
