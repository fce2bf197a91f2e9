import WhirlCore

/// Everything there is to know about one option.
struct CommandOption: Sendable {
    /// What it is about; `--help GROUP` shows those of one.
    enum Group: String, CaseIterable, Sendable {
        case files, limits, network, display, reports, other

        /// The heading they stand under.
        var title: String {
            switch self {
            case .files: "What and where"
            case .limits: "How much at once, and for how long"
            case .network: "Network and credentials"
            case .display: "What is shown"
            case .reports: "Reports"
            case .other: "Other"
            }
        }
    }

    /// Why the file of a project may not set it: such a file comes from others, and is read because of where it lies.
    enum Reservation: String, Sendable {
        case secret = "it is a secret, or says where one is"
        case route = "it decides whom requests go through and who is trusted"
        case control = "it lets others command the run"
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
    /// Nil where the file of a project may set it.
    let reservation: Reservation?
    let group: Group
    /// Whether it stands in `--help all` only.
    let isRare: Bool
    /// What it does, in a few words.
    let help: String
    /// What else there is to know, in sentences for the manual; empty when that is all.
    let detail: String
    /// How it is used.
    let example: String

    init(
        _ name: OptionName, _ short: Character? = nil, _ kind: ValueKind = .flag, _ placeholder: String? = nil,
        preset: String? = nil, isRepeatable: Bool = false, sources: Sources = [.environment, .configuration],
        verbs: [Verb] = [.get, .demo], need: Need = .nothing, reservation: Reservation? = nil, group: Group,
        isRare: Bool = false, help: String, detail: String = "", example: String
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
        self.reservation = reservation
        self.group = group
        self.isRare = isRare
        self.help = help
        self.detail = detail
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
