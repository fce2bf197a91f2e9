/// What the command is asked to do: its first word that is not an option.
enum Verb: String, CaseIterable, Sendable {
    case get, replay, report, demo, config, plugins, completions, help

    /// What stands after the options.
    struct Operands: Equatable, Sendable {
        /// What help calls them; nil when there are none.
        let placeholder: String?
        let count: ClosedRange<Int>
        /// Whether one may be `-`, the standard input.
        var takesStandardInput = false
        /// What the first may be.
        var words: [String] = []
        /// Whether they name files, but for the first where that is one of the words.
        var areFiles = false

        static let none = Operands(placeholder: nil, count: 0...0)
    }

    var operands: Operands {
        switch self {
        case .get: Operands(placeholder: "URL...", count: 0...Int.max)
        case .replay: Operands(placeholder: "FILE|-", count: 1...1, takesStandardInput: true, areFiles: true)
        case .report:
            Operands(placeholder: "FILE...", count: 1...Int.max, takesStandardInput: true, areFiles: true)
        case .demo, .plugins: .none
        case .config:
            Operands(placeholder: "check FILE", count: 0...Int.max, words: ["check", "schema"], areFiles: true)
        case .completions:
            Operands(placeholder: "bash, zsh or fish", count: 1...1, words: Completions.Shell.allCases.map(\.rawValue))
        case .help: Operands(placeholder: "WORD", count: 0...Int.max)
        }
    }

    /// How it is used, for `--help`.
    var usage: String {
        switch self {
        case .get: "whirl [get] [options] URL..."
        case .replay: "whirl replay [options] FILE|-"
        case .report: "whirl report [options] FILE..."
        case .demo: "whirl demo [options]"
        case .config: "whirl config [check FILE|schema]"
        case .plugins: "whirl plugins [--json]"
        case .completions: "whirl completions bash|zsh|fish"
        case .help: "whirl help [WORD]"
        }
    }

    /// What else there is to know, for the manual; empty when that is all.
    var detail: String {
        switch self {
        case .get:
            "Each URL becomes a file. What is there already is not moved again, and what is there in part goes on."
        case .replay:
            """
            Shows what -f jsonl or --events has written, or another program that writes the same. A file is shown at \
            the speed of its run, a pipe as it comes. Exits 0 when the stream could be read, 2 when it is none.
            """
        case .report:
            """
            Sums up what -f jsonl or --events has written; several files are merged. --summary is for people, --har \
            an HTTP Archive, --metrics for Prometheus.
            """
        case .demo: "The server is in the process itself, so that no network is needed."
        case .config:
            """
            Prints the settings in force as YAML that --config reads back; with --explain also where each came from \
            and what it overrode. check FILE says what is wrong with a file, or with those that would be read; \
            schema prints a JSON Schema for editors.
            """
        case .plugins: "What each can do, and which versions of what it is built on."
        case .completions: "Prints what makes the shell propose the words of whirl."
        case .help: "The same as --help."
        }
    }

    /// What it does, for `--help`.
    var summary: String {
        switch self {
        case .get: "transfer; the default verb"
        case .replay: "show a recorded or live stream (-f jsonl)"
        case .report: "sum up recorded streams"
        case .demo: "transfer from a built-in server"
        case .config: "the settings; what is wrong with a file"
        case .plugins: "transports and frontends"
        case .completions: "for your shell"
        case .help: "about an option, a verb, or all"
        }
    }
}
