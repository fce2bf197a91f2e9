/// Why the command can't do what it was told: one sentence that says what is wrong and what would be right.
struct CommandError: Error, Equatable, CustomStringConvertible {
    /// Without the program's name.
    let message: Sentence
    /// The exit code.
    let exit: Int32

    init(_ message: Sentence, exit: Int32 = 2) {
        self.message = message
        self.exit = exit
    }

    /// The same about a value that came from `origin`.
    init(_ origin: Origin, _ message: Sentence) {
        self.init("\(origin): \(message)")
    }

    var description: String { message.text }
}
