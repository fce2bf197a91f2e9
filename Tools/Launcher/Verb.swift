/// What the command is asked to do: its first word that is not an option.
enum Verb: String, CaseIterable, Sendable {
    case get, demo, plugins, help

    /// How it is used, for `--help`.
    var usage: String {
        switch self {
        case .get: "whirl [get] [options] URL..."
        case .demo: "whirl demo [options]"
        case .plugins: "whirl plugins [--json]"
        case .help: "whirl help [all]"
        }
    }

    /// What it does, for `--help`.
    var summary: String {
        switch self {
        case .get: "transfer; the default verb"
        case .demo: "transfer from a built-in server"
        case .plugins: "transports and frontends"
        case .help: "the options"
        }
    }
}
