import WhirlCore

/// What the table knows of one option, in words: for its page of help, the manual and the reference.
struct OptionFacts {
    private let option: CommandOption
    private let registry: Registry

    init(_ option: CommandOption, _ registry: Registry) {
        self.option = option
        self.registry = registry
    }

    /// What there is to say, each with its name.
    var rows: [(name: String, value: String)] {
        let all: [(String, String?)] = [
            ("values", values), ("default", option.preset), ("repeated", option.isRepeatable ? "yes" : nil),
            ("variable", variable), ("in a file", key), ("not for", reserved), ("transports", transports),
            ("verbs", option.verbs == Verb.allCases ? nil : option.verbs.map(\.rawValue).joined(separator: ", ")),
            ("example", option.example),
        ]
        return all.compactMap { row in row.1.map { (row.0, $0) } }
    }

    /// Which values there are; nil for a flag and any text.
    var values: String? { option.kind.range }

    /// The variable; nil when there is none.
    var variable: String? { option.sources.contains(.environment) ? option.name.variable : nil }

    /// A line of a configuration file; nil where it can't stand in one.
    var key: String? {
        guard option.sources.contains(.configuration) else { return nil }
        return "\(option.name.rawValue): \(option.kind == .flag ? "true" : option.preset ?? option.placeholder ?? "")"
    }

    private var reserved: String? {
        option.reservation == nil || key == nil ? nil : "the file of a project (whirl.yaml)"
    }

    /// The transports that can meet it; nil when all can.
    var transports: String? {
        guard option.need != .nothing else { return nil }
        let able = registry.transports.filter(option.isMet).map(\.name)
        return able.count == registry.transports.count ? nil : able.isEmpty ? "none" : able.joined(separator: ", ")
    }
}
