import WhirlCore

/// Everything there is to know about one option.
struct CommandOption: Sendable {
    /// The heading it stands under in `--help`.
    enum Group: String, CaseIterable, Sendable {
        case what = "What and where"
        case how = "How much at once, and for how long"
        case network = "Network and credentials"
        case show = "What is shown"
        case other = "Other"
    }

    /// Where a value may come from beside the command line.
    struct Sources: OptionSet, Sendable {
        let rawValue: Int
        static let environment = Sources(rawValue: 1)
        static let configuration = Sources(rawValue: 2)
    }

    /// What it takes of the transport.
    enum Need: Equatable, Sendable {
        case nothing
        case capability(Capabilities)
        /// The option's name among the configuration keys that the transport reads.
        case key
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
    let need: Need
    let group: Group
    /// Whether it stands in `--help all` only.
    let isRare: Bool
    /// What it does, in a few words.
    let help: String
    /// How it is used.
    let example: String

    init(
        _ name: OptionName, _ short: Character? = nil, _ kind: ValueKind = .flag, _ placeholder: String? = nil,
        preset: String? = nil, isRepeatable: Bool = false, sources: Sources = [.environment, .configuration],
        verbs: [Verb] = [.get, .demo], need: Need = .nothing, group: Group, isRare: Bool = false, help: String,
        example: String
    ) {
        self.name = name
        self.short = short
        self.kind = kind
        self.placeholder = placeholder
        self.preset = preset
        self.isRepeatable = isRepeatable
        self.sources = sources
        self.verbs = verbs
        self.need = need
        self.group = group
        self.isRare = isRare
        self.help = help
        self.example = example
    }

    /// The option and its value as help shows them, such as `--jobs N`.
    var synopsis: String { name.flag + (placeholder.map { " \($0)" } ?? "") }

    /// Whether that transport has what it takes.
    func isMet(by transport: TransportPlugin) -> Bool {
        switch need {
        case .nothing: true
        case .capability(let capability): transport.capabilities.contains(capability)
        case .key: transport.keys.contains(name.rawValue)
        }
    }
}
