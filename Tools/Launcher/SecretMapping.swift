/// A mapping that says where a secret is, while it is read.
struct SecretMapping {
    private static let words = ["file", "command", "prefix"]

    /// The option's name.
    let key: String
    /// Something has been told about it.
    var isWrong = false
    private var values: [String: String] = [:]

    init(key: String) { self.key = key }

    mutating func add(_ word: String, _ text: String) throws(CommandError) {
        guard Self.words.contains(word) else {
            let hint = Suggestion.phrase(for: word, among: Self.words)
            let help: Sentence = hint.isEmpty ? "; \(form)" : "\(hint)"
            throw CommandError("\(key): \(quoted(word)) is none of file, command, prefix\(help)")
        }
        guard !text.isEmpty, !text.utf8.contains(0) else {
            throw CommandError("\(key): \(word) must not be empty; \(form)")
        }
        guard values.updateValue(text, forKey: word) == nil else {
            throw CommandError("\(key): \(word) stands twice; leave one out")
        }
    }

    /// What has been read; nil when something was wrong with it.
    func source(
        within path: (String) throws(CommandError) -> String
    ) throws(CommandError) -> SecretSource? {
        guard !isWrong else { return nil }
        let prefix = values["prefix"] ?? ""
        switch (values["file"], values["command"]) {
        case (let file?, nil): return SecretSource(place: .file(try path(file)), prefix: prefix)
        case (nil, let command?): return SecretSource(place: .command(command), prefix: prefix)
        default: throw CommandError("\(key) takes a text or one of file and command; \(form)")
        }
    }

    /// A header is what people most often write without its quotes.
    private var form: Sentence {
        key == OptionName.header.rawValue
            ? "put a line in quotes: 'Name: value'" : "write it as {file: ~/secret} or {command: pass show web}"
    }
}
