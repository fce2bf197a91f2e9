import Glibc
import WhirlBoard
import WhirlCore

/// Writes the command's own few words.
enum Output {
    /// Writes all of `text`; gives up in silence when nobody can read it.
    static func write(_ text: String, to descriptor: Int32) {
        try? LineWriter(descriptor).write(Array(text.utf8))
    }

    /// Writes what was asked for to the standard output, and returns the exit code: who asked has to know when it is not
    /// there.
    static func answer(_ text: String) -> Int32 {
        do {
            try LineWriter(STDOUT_FILENO).write(Array(text.utf8))
            return 0
        } catch {
            if error.isReaderGone { return 141 }
            complain("the standard output can't be written: \(error.description); write it to another place")
            return 3
        }
    }

    /// A line on the standard error.
    static func complain(_ message: Sentence) { write("whirl: \(clean(message.text))\n", to: STDERR_FILENO) }

    /// What frontends could not write; of a reader that went away there is nothing to say.
    static func complain(of troubles: [FrontendTrouble]) {
        for trouble in troubles {
            switch trouble {
            case .notWritten(let reason), .notLogged(let reason): complain(Sentence(trusting: reason))
            case .readerGone: break
            }
        }
    }
}
