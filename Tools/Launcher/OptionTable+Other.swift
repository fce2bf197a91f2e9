/// The rest.
extension OptionTable {
    static let other = [
        CommandOption(
            .config, nil, .path, "FILE", isRepeatable: true, sources: .environment, group: .other,
            help: "settings in YAML, such as jobs: 4; repeatable", example: "whirl --config whirl.yaml URL"),
        CommandOption(
            .noConfig, sources: [], group: .other, isRare: true,
            help: "no file but those of --config", example: "whirl --no-config URL"),
        CommandOption(
            .json, sources: [], verbs: [.plugins], group: .other, isRare: true,
            help: "plugins as JSON", example: "whirl plugins --json"),
        CommandOption(
            .help, "h", sources: [], verbs: Verb.allCases, group: .other,
            help: "this text; all, or about WORD: --help WORD",
            detail: "WORD is all, the name of an option, a verb, or files, limits, network, display or other.",
            example: "whirl --help"),
        CommandOption(
            .version, sources: [], verbs: Verb.allCases, group: .other,
            help: "the version", example: "whirl --version"),
    ]
}
