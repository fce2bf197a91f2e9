/// What a shell proposes for the words of the command, written in the shell's own language.
struct Completions {
    enum Shell: String, CaseIterable, Sendable {
        case bash, zsh, fish

        /// What packages call the file.
        var fileName: String {
            switch self {
            case .bash: "whirl.bash"
            case .zsh: "_whirl"
            case .fish: "whirl.fish"
            }
        }
    }

    let registry: Registry
    let options: [CommandOption]

    init(registry: Registry) {
        self.registry = registry
        options = registry.table.options
    }

    /// The script for the shell of that name.
    func text(for name: String) throws(CommandError) -> String {
        guard let shell = Shell(rawValue: name) else {
            let known = Shell.allCases.map(\.rawValue)
            let hint = Suggestion.phrase(for: name, among: known)
            throw CommandError(
                "\(WhirlLauncher.quoted(name)) is not a shell with completions; there is bash, zsh, fish\(hint)")
        }
        return text(for: shell)
    }

    /// The script for a shell.
    func text(for shell: Shell) -> String {
        switch shell {
        case .bash: bash
        case .zsh: zsh
        case .fish: fish
        }
    }

    // MARK: - For all shells

    /// The verbs that an option is for; `config` tells what a transfer would have.
    func verbs(of option: CommandOption) -> [Verb] {
        Verb.allCases.filter { verb in
            option.verbs.contains(verb) || verb == .config && option.verbs.contains(.get)
        }
    }

    /// Every spelling of those that are followed by a value.
    var flagsWithValues: [String] { options.filter { $0.kind != .flag }.flatMap(flags) }

    func flags(_ option: CommandOption) -> [String] { (option.short.map { ["-\($0)"] } ?? []) + [option.name.flag] }

    /// What `--help` knows about.
    var topics: [String] {
        [HelpText.everything] + CommandOption.Group.allCases.map(\.rawValue) + Verb.allCases.map(\.rawValue)
            + options.map(\.name.rawValue).filter { Verb(rawValue: $0) == nil }
    }

    func words(_ verb: Verb) -> [String] { verb == .help ? topics : verb.operands.words }

    static func quoted(_ text: String) -> String {
        "'" + text.map { $0 == "'" ? "'\\''" : String($0) }.joined() + "'"
    }
}
