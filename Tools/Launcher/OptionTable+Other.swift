/// The rest.
extension OptionTable {
    static let other = [
        CommandOption(
            .config, nil, .path, "FILE", isRepeatable: true, sources: .environment, verbs: shown,
            group: .other,
            help: "settings in YAML, such as jobs: 4; repeatable",
            detail: """
                A later file is stronger than an earlier one, and each than the project's and the user's own. What a file \
                may say: the section on configuration.
                """,
            example: "whirl --config whirl.yaml URL"),
        CommandOption(
            .noConfig, sources: [], verbs: shown, group: .other, isRare: true,
            help: "no file but those of --config",
            detail: "Neither whirl.yaml nor the user's file, nor those of WHIRL_CONFIG.",
            example: "whirl --no-config URL"),
        CommandOption(
            .json, sources: [], verbs: [.plugins], group: .other, isRare: true,
            help: "plugins as JSON", example: "whirl plugins --json"),
        CommandOption(
            .explain, sources: [], verbs: [.config], group: .other, isRare: true,
            help: "where each setting came from", example: "whirl config --explain -j 4"),
        CommandOption(
            .help, "h", sources: [], verbs: Verb.allCases, group: .other,
            help: "this text; all, or about WORD: --help WORD",
            detail: "WORD is all, the name of an option, a verb, or files, limits, network, display, reports or other.",
            example: "whirl --help"),
        CommandOption(
            .version, sources: [], verbs: Verb.allCases, group: .other,
            help: "the version", example: "whirl --version"),
    ]
}
