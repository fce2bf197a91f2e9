/// What the command is asked to do: its first word that is not an option.
enum Verb: String, CaseIterable, Sendable {
    case get, demo, plugins, help

    /// What stands after the options.
    struct Operands: Equatable, Sendable {
        /// What help calls them; nil when there are none.
        let placeholder: String?
        let count: ClosedRange<Int>
        /// Whether one may be `-`, the standard input.
        var takesStandardInput = false

        static let none = Operands(placeholder: nil, count: 0...0)
    }

    var operands: Operands {
        switch self {
        case .get: Operands(placeholder: "URL...", count: 0...Int.max)
        case .demo, .plugins: .none
        case .help: Operands(placeholder: "WORD", count: 0...Int.max)
        }
    }

    /// How it is used, for `--help`.
    var usage: String {
        switch self {
        case .get: "whirl [get] [options] URL..."
        case .demo: "whirl demo [options]"
        case .plugins: "whirl plugins [--json]"
        case .help: "whirl help [WORD]"
        }
    }

    /// What it does, for `--help`.
    var summary: String {
        switch self {
        case .get: "transfer; the default verb"
        case .demo: "transfer from a built-in server"
        case .plugins: "transports and frontends"
        case .help: "about an option, a verb, or all"
        }
    }
}
