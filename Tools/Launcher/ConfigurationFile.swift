/// Settings from a YAML file: a mapping from options' names to values, and to lists of values where an option may be
/// repeated.
///
/// No anchors, aliases, tags or second documents; a key may stand once. What a value is follows from the option, so
/// `no` stays a text where a text is wanted.
struct ConfigurationFile {
    private let path: String
    private let table: OptionTable
    private var layer = SettingLayer()
    private var seen: [OptionName: Mark] = [:]

    /// What the file at `path` says.
    static func layer(at path: String, by table: OptionTable) throws(CommandError) -> SettingLayer {
        try layer(of: FileBytes.read(path, atMost: 1 << 20), named: path, by: table)
    }

    /// What the text of a file says.
    static func layer(
        of bytes: [UInt8], named path: String, by table: OptionTable
    ) throws(CommandError) -> SettingLayer {
        var file = ConfigurationFile(path: path, table: table)
        var events = YAMLEvents(bytes)
        do {
            try file.stream(&events)
        } catch {
            throw CommandError("\(path):\(error.mark.line):\(error.mark.column): \(error.message)")
        }
        return file.layer
    }

    private init(path: String, table: OptionTable) {
        self.path = path
        self.table = table
    }

    private mutating func stream(_ events: inout YAMLEvents) throws(YAMLError) {
        var documents = 0
        while true {
            switch try Self.next(&events) {
            case .streamEnd: return
            case .documentStart(let mark):
                documents += 1
                if documents > 1 { throw YAMLError(mark: mark, message: "a second document; one is read") }
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
                let option = try option(key, mark)
                layer[option.name] = try value(option, &events)
            case .sequenceStart(let mark), .mappingStart(let mark):
                throw YAMLError(mark: mark, message: "a key must be the name of an option")
            default: return
            }
        }
    }

    private mutating func option(_ key: String, _ mark: Mark) throws(YAMLError) -> CommandOption {
        let options = table.options.filter { $0.sources.contains(.configuration) }
        guard let option = options.first(where: { $0.name.rawValue == key }) else {
            if table.option(long: key) != nil {
                throw YAMLError(mark: mark, message: "\(key) can't be set in a file; use --\(key)")
            }
            // Underscores are the usual slip.
            let word = String(key.map { $0 == "_" ? "-" : $0 })
            let hint = Suggestion.phrase(for: word, among: options.map(\.name.rawValue))
            throw YAMLError(mark: mark, message: "\(quoted(key)) is not a setting\(hint)")
        }
        if let first = seen.updateValue(mark, forKey: option.name) {
            throw YAMLError(mark: mark, message: "\(key) stands here and in line \(first.line); one must go")
        }
        return option
    }

    private func value(_ option: CommandOption, _ events: inout YAMLEvents) throws(YAMLError) -> [Setting] {
        switch try Self.next(&events) {
        case .scalar(let text, let isPlain, let mark): return [try setting(option, text, isPlain, mark)]
        case .sequenceStart(let mark):
            guard option.isRepeatable else {
                throw YAMLError(mark: mark, message: "\(option.name.rawValue) takes one value, not a list")
            }
            return try list(option, &events)
        case .mappingStart(let mark): throw nested(option, mark)
        default: preconditionFailure("libyaml gives a key a value")
        }
    }

    private func list(_ option: CommandOption, _ events: inout YAMLEvents) throws(YAMLError) -> [Setting] {
        var settings: [Setting] = []
        while true {
            switch try Self.next(&events) {
            case .scalar(let text, let isPlain, let mark): settings.append(try setting(option, text, isPlain, mark))
            case .mappingStart(let mark): throw nested(option, mark)
            case .sequenceStart(let mark):
                throw YAMLError(mark: mark, message: "\(option.name.rawValue) takes a list of values, not of lists")
            default: return settings
            }
        }
    }

    private func nested(_ option: CommandOption, _ mark: Mark) -> YAMLError {
        let hint = option.kind == .header ? "; put the line in quotes: 'Name: value'" : ""
        return YAMLError(mark: mark, message: "\(option.name.rawValue) takes a value, not a mapping\(hint)")
    }

    private func setting(
        _ option: CommandOption, _ text: String, _ isPlain: Bool, _ mark: Mark
    ) throws(YAMLError) -> Setting {
        let key = option.name.rawValue
        if isPlain, ["", "~", "null", "Null", "NULL"].contains(text) {
            throw YAMLError(mark: mark, message: "\(key) has no value; leave the line out for the default")
        }
        let origin = Origin.file(path: path, line: mark.line, column: mark.column, key: key)
        do {
            return Setting(value: try option.kind.parse(text), origin: origin)
        } catch {
            throw YAMLError(mark: mark, message: "\(key): \(error.message)")
        }
    }

    private static func next(_ events: inout YAMLEvents) throws(YAMLError) -> YAMLEvent {
        let event = try events.next()
        guard case .other(let what, let mark) = event else { return event }
        throw YAMLError(mark: mark, message: "\(what) is not for a configuration; write the value itself")
    }
}
