import Glibc

/// The words of the command line.
enum CommandWords {
    /// All after the program's name.
    ///
    /// Throws for one that is not UTF-8: repaired, it would be another name.
    static func given() throws(CommandError) -> [String] {
        var words: [String] = []
        for index in 1..<max(1, Int(CommandLine.argc)) {
            guard let start = unsafe CommandLine.unsafeArgv[index] else { break }
            let bytes = unsafe UnsafeBufferPointer(start: start, count: strlen(start)).map { UInt8(bitPattern: $0) }
            words.append(try word(bytes))
        }
        return words
    }

    /// One of them.
    static func word(_ bytes: [UInt8]) throws(CommandError) -> String {
        if let word = String(validating: bytes, as: UTF8.self) { return word }
        throw CommandError(
            "\(quoted(String(decoding: bytes, as: UTF8.self))) is not UTF-8, as all words have to be; rename the file, or percent-encode the URL"
        )
    }
}
