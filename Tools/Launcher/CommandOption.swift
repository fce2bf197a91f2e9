/// Everything there is to know about one option.
struct CommandOption: Sendable {
    /// The heading it stands under in `--help`.
    enum Group: String, CaseIterable, Sendable {
        case what = "What and where"
        case how = "How"
        case show = "What is shown"
        case other = "Other"
    }

    /// Where a value may come from beside the command line.
    struct Sources: OptionSet, Sendable {
        let rawValue: Int
        static let environment = Sources(rawValue: 1)
        static let configuration = Sources(rawValue: 2)
    }

    let name: OptionName
    let short: Character?
    let kind: ValueKind
    /// What help calls the value; nil for a flag.
    let placeholder: String?
    /// The value when none is given, as it would be typed; nil when there is none.
    let preset: String?
    let isRepeatable: Bool
    let sources: Sources
    let verbs: [Verb]
    let group: Group
    /// What it does, in a few words.
    let help: String
    /// How it is used.
    let example: String

    init(
        _ name: OptionName, _ short: Character? = nil, _ kind: ValueKind = .flag, _ placeholder: String? = nil,
        preset: String? = nil, isRepeatable: Bool = false, sources: Sources = [.environment, .configuration],
        verbs: [Verb] = [.get, .demo], group: Group, help: String, example: String
    ) {
        self.name = name
        self.short = short
        self.kind = kind
        self.placeholder = placeholder
        self.preset = preset
        self.isRepeatable = isRepeatable
        self.sources = sources
        self.verbs = verbs
        self.group = group
        self.help = help
        self.example = example
    }

    /// The option and its value as help shows them, such as `--jobs N`.
    var synopsis: String { name.flag + (placeholder.map { " \($0)" } ?? "") }
}
