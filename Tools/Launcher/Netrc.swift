/// Names and passwords by host, as a `.netrc` file has them.
struct Netrc: Sendable {
    private struct Entry: Sendable {
        /// In lower case; nil: any host.
        var host: String?
        var login: String?
        var password = ""
    }

    private var entries: [Entry] = []

    /// Reads `machine HOST`, `default`, `login NAME`, `password TEXT` and `account TEXT`, words in double quotes where they
    /// have blanks, and comments; passes macros over.
    ///
    /// Errors tell the line and never a word of it.
    init(_ text: String, named name: String) throws(CommandError) {
        var isMacro = false
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            if isMacro {
                isMacro = !line.allSatisfy(\.isWhitespace)
                continue
            }
            var words = NetrcWords(line)
            do {
                isMacro = try read(&words)
            } catch {
                throw CommandError("\(name):\(index + 1): \(error.message)")
            }
        }
    }

    /// Whether there is something to keep secret.
    var hasPassword: Bool { entries.contains { !$0.password.isEmpty } }

    /// `name:password` for a host; nil when there is none.
    func credentials(for host: String) -> String? {
        let entry = entries.first { $0.host == nil || $0.host == host.lowercased() }
        guard let entry, let login = entry.login else { return nil }
        return "\(login):\(entry.password)"
    }

    /// True when a macro begins, which goes to the next empty line.
    private mutating func read(_ words: inout NetrcWords) throws(CommandError) -> Bool {
        while let word = try words.next() {
            switch word {
            case "machine": entries.append(Entry(host: try Self.value(&words).lowercased()))
            case "default": entries.append(Entry())
            case "login": try set(\.login, to: Self.name(Self.value(&words)))
            case "password": try set(\.password, to: Self.value(&words))
            case "account": _ = try Self.value(&words)
            case "macdef": return true
            default:
                throw CommandError(
                    "there is a word that is none of machine, default, login, password, account, macdef; put a value with blanks in quotes"
                )
            }
        }
        return false
    }

    private static func value(_ words: inout NetrcWords) throws(CommandError) -> String {
        guard let word = try words.next() else {
            throw CommandError("the last word of the line needs a value beside it")
        }
        return word
    }

    private static func name(_ text: String) throws(CommandError) -> String {
        guard !text.contains(":") else { throw CommandError("a login can't have a colon in it; leave it out") }
        return text
    }

    private mutating func set<Value>(
        _ path: WritableKeyPath<Entry, Value>, to value: Value
    ) throws(CommandError) {
        guard !entries.isEmpty else { throw CommandError("before it there must be machine HOST or default") }
        entries[entries.count - 1][keyPath: path] = value
    }
}

/// The words of a line.
private struct NetrcWords {
    private var rest: Substring

    init(_ line: Substring) { rest = line }

    mutating func next() throws(CommandError) -> String? {
        rest = rest.drop(while: \.isWhitespace)
        guard let first = rest.first, first != "#" else { return nil }
        guard first == "\"" else {
            let word = rest.prefix { !$0.isWhitespace }
            rest = rest[word.endIndex...]
            return String(word)
        }
        rest.removeFirst()
        return try quoted()
    }

    private mutating func quoted() throws(CommandError) -> String {
        var word = ""
        while let character = rest.popFirst() {
            switch character {
            case "\"": return word
            case "\\":
                guard let escaped = rest.popFirst() else { break }
                word.append(["n": "\n", "r": "\r", "t": "\t"][escaped] ?? escaped)
            default: word.append(character)
            }
        }
        throw CommandError("a word in quotes has no end; a \" is missing")
    }
}
