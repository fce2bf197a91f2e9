import Glibc

/// Settings from a YAML file: a mapping from options' names to values, and to lists of values where an option may be
/// repeated.
///
/// No anchors, aliases, tags or second documents; a key may stand once. What a value is follows from the option, so
/// `no` stays a text where a text is wanted. A secret may be a mapping that says where it is: `file` or `command`, and
/// perhaps a `prefix`.
struct ConfigurationFile {
    /// How a file comes to be read.
    enum Role: Sendable {
        /// It was named.
        case named
        /// It lies in the current folder.
        case project
        /// It is the user's.
        case user
    }

    /// What is wrong with it, and where.
    struct Fault: Sendable {
        /// From 1; 0: with the file as a whole.
        let line: Int
        let error: CommandError
    }

    /// What it says, as far as it is right.
    private(set) var layer = SettingLayer()
    /// All that is wrong with it, in the order of its lines; what comes after an error of YAML itself is not seen.
    private(set) var faults: [Fault] = []
    /// What its owner should know.
    private(set) var warnings: [Sentence] = []
    private let path: String
    private let role: Role
    private let table: OptionTable
    private let home: String?
    private let rules: ProjectRules
    private var seen: [OptionName: Mark] = [:]

    /// What the file at `path` says; throws when it can't be read.
    init(at path: String, as role: Role, by table: OptionTable, home: String?) throws(CommandError) {
        // Before it is opened: a FIFO that lies there would hold us up.
        var status = stat()
        if role != .named, unsafe stat(path, &status) == 0, status.st_mode & S_IFMT != S_IFREG {
            throw CommandError("\(path) is not a regular file; --no-config passes it over")
        }
        let file = try Descriptor(reading: path)
        self.init(try file.bytes(atMost: 1 << 20), named: path, as: role, by: table, home: home)
        judge(file)
    }

    /// What a file of these bytes says.
    init(_ bytes: [UInt8], named path: String, as role: Role, by table: OptionTable, home: String? = nil) {
        self.path = path
        self.role = role
        self.table = table
        self.home = home
        rules = ProjectRules(folder: Self.folder(of: path))
        var events = YAMLEvents(bytes)
        do {
            try stream(&events)
        } catch {
            note(error.mark, error.message)
        }
    }

    private static func folder(of path: String) -> String {
        path.lastIndex(of: "/").map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
    }

    /// What others may do with a file that has secrets or commands.
    private mutating func judge(_ file: Descriptor) {
        guard file.isRegular else { return }
        let settings = layer.flatMap { name, settings in settings.map { (table[name], $0) } }
        let hasSource = settings.contains { if case .secret = $1.value { true } else { false } }
        if hasSource, file.permissions & 0o022 != 0 || file.owner != geteuid() && file.owner != 0 {
            let error = CommandError("\(path): others can change where its secrets come from; chmod 600 it")
            faults.append(Fault(line: 0, error: error))
        }
        if file.permissions & 0o044 != 0, settings.contains(where: { Secrecy.isSecret($1.value, of: $0.kind) }) {
            warnings.append("\(path): others can read the secret in it; chmod 600 it")
        }
    }

    private mutating func note(_ mark: Mark, _ message: Sentence) {
        let error = CommandError("\(path):\(mark.line):\(mark.column): \(message)")
        faults.append(Fault(line: mark.line, error: error))
    }

    private mutating func stream(_ events: inout YAMLEvents) throws(YAMLError) {
        var documents = 0
        while true {
            switch try Self.next(&events) {
            case .streamEnd: return
            case .documentStart(let mark):
                documents += 1
                if documents > 1 {
                    throw YAMLError(mark: mark, message: "a second document; leave out what follows ---")
                }
            case .mappingStart: try mapping(&events)
            case .scalar(let text, _, let mark):
                // A file of comments alone after "---" is an empty scalar.
                guard text.isEmpty else { throw YAMLError(mark: mark, message: Self.shape) }
            case .sequenceStart(let mark): throw YAMLError(mark: mark, message: Self.shape)
            default: continue
            }
        }
    }

    private static let shape: Sentence = "a configuration is a mapping, such as 'jobs: 4'"

    private mutating func mapping(_ events: inout YAMLEvents) throws(YAMLError) {
        while true {
            switch try Self.next(&events) {
            case .scalar(let key, _, let mark):
                if let option = option(key, mark) {
                    layer[option.name] = try value(option, &events)
                } else {
                    try Self.skip(&events)
                }
            case .sequenceStart(let mark), .mappingStart(let mark):
                throw YAMLError(mark: mark, message: "a key must be the name of an option")
            default: return
            }
        }
    }

    /// Nil when there is none, or not for such a file.
    private mutating func option(_ key: String, _ mark: Mark) -> CommandOption? {
        let options = table.options.filter { $0.sources.contains(.configuration) }
        guard let option = options.first(where: { $0.name.rawValue == key }) else {
            if table.option(long: key) != nil {
                note(mark, "\(key) can't be set in a file; use --\(key)")
            } else {
                // Underscores are the usual slip.
                let word = String(key.map { $0 == "_" ? "-" : $0 })
                note(
                    mark,
                    "\(quoted(key)) is not a setting\(Suggestion.phrase(for: word, among: options.map(\.name.rawValue), otherwise: "; see whirl --help all"))"
                )
            }
            return nil
        }
        if let first = seen.updateValue(mark, forKey: option.name) {
            note(mark, "\(key) stands here and in line \(first.line); one must go")
            return nil
        }
        if role == .project, option.reservation != nil, let refusal = rules.refusal(of: option, .flag(true)) {
            note(mark, refusal)
            return nil
        }
        return option
    }

    // MARK: - Values

    private mutating func value(
        _ option: CommandOption, _ events: inout YAMLEvents
    ) throws(YAMLError) -> [Setting]? {
        switch try Self.next(&events) {
        case .scalar(let text, let isPlain, let mark): return setting(option, text, isPlain, mark).map { [$0] }
        case .sequenceStart(let mark):
            if option.isRepeatable { return try list(option, &events) }
            note(mark, "\(option.name.rawValue) takes one value, not a list")
            try Self.skip(&events, depth: 1)
            return nil
        case .mappingStart(let mark): return try mapped(option, mark, &events).map { [$0] }
        default: preconditionFailure("libyaml gives a key a value")
        }
    }

    private mutating func list(_ option: CommandOption, _ events: inout YAMLEvents) throws(YAMLError) -> [Setting] {
        var settings: [Setting] = []
        while true {
            switch try Self.next(&events) {
            case .scalar(let text, let isPlain, let mark):
                if let setting = setting(option, text, isPlain, mark) { settings.append(setting) }
            case .mappingStart(let mark):
                if let setting = try mapped(option, mark, &events) { settings.append(setting) }
            case .sequenceStart(let mark):
                note(mark, "\(option.name.rawValue) takes a list of values, not of lists")
                try Self.skip(&events, depth: 1)
            default: return settings
            }
        }
    }

    private mutating func setting(
        _ option: CommandOption, _ text: String, _ isPlain: Bool, _ mark: Mark
    ) -> Setting? {
        let key = option.name.rawValue
        if isPlain, ["", "~", "null", "Null", "NULL"].contains(text) {
            note(mark, "\(key) has no value; leave the line out for the default")
            return nil
        }
        do {
            let isPath = option.kind == .path || option.kind == .folder
            let value = try option.kind.parse(isPath ? expanded(text) : text)
            if role == .project, let refusal = rules.refusal(of: option, value) {
                note(mark, refusal)
                return nil
            }
            return Setting(value: value, origin: origin(option, mark))
        } catch {
            note(mark, "\(key): \(error.message)")
            return nil
        }
    }

    /// No shell sees a file's `~`.
    private func expanded(_ text: String) throws(CommandError) -> String {
        guard role != .project, text.hasPrefix("~/") else { return text }
        guard let home, home.hasPrefix("/") else { throw CommandError("HOME is not set; write the whole path") }
        return home + text.dropFirst()
    }

    private func origin(_ option: CommandOption, _ mark: Mark) -> Origin {
        .file(path: path, line: mark.line, column: mark.column, key: option.name.rawValue)
    }

    // MARK: - Secrets

    private mutating func mapped(
        _ option: CommandOption, _ mark: Mark, _ events: inout YAMLEvents
    ) throws(YAMLError) -> Setting? {
        guard option.kind.takesSource else {
            note(mark, "\(option.name.rawValue) takes a value, not a mapping")
            try Self.skip(&events, depth: 1)
            return nil
        }
        var reader = SecretMapping(key: option.name.rawValue)
        while let (word, text, place) = try Self.pair(&events) {
            do {
                try reader.add(word, text)
            } catch {
                note(place, error.message)
                reader.isWrong = true
            }
        }
        do {
            let folder = rules.folder
            guard
                let source = try reader.source(within: { (path) throws(CommandError) in
                    let path = try self.expanded(path)
                    return path.hasPrefix("/") ? path : "\(folder)/\(path)"
                })
            else { return nil }
            return Setting(value: .secret(source), origin: origin(option, mark))
        } catch {
            note(mark, error.message)
            return nil
        }
    }

    /// The next pair of a mapping of texts; nil at its end.
    private static func pair(_ events: inout YAMLEvents) throws(YAMLError) -> (String, String, Mark)? {
        switch try next(&events) {
        case .mappingEnd: return nil
        case .scalar(let word, _, let mark):
            if case .scalar(let text, _, _) = try next(&events) { return (word, text, mark) }
            throw YAMLError(mark: mark, message: "\(quoted(word)) takes a text here")
        case .mappingStart(let mark), .sequenceStart(let mark):
            throw YAMLError(mark: mark, message: "here goes one of file, command, prefix")
        default: preconditionFailure("libyaml ends what has begun")
        }
    }

    // MARK: - Events

    private static func next(_ events: inout YAMLEvents) throws(YAMLError) -> YAMLEvent {
        let event = try events.next()
        guard case .other(let what, let mark) = event else { return event }
        throw YAMLError(mark: mark, message: "\(what) is not for a configuration; write the value itself")
    }

    /// Passes over one value, or over the rest of those that have begun.
    private static func skip(_ events: inout YAMLEvents, depth: Int = 0) throws(YAMLError) {
        var depth = depth
        repeat {
            switch try next(&events) {
            case .mappingStart, .sequenceStart: depth += 1
            case .mappingEnd, .sequenceEnd: depth -= 1
            default: break
            }
        } while depth > 0
    }
}
