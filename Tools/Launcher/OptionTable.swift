import WhirlSession

/// The one description of every option: parsing, help, variables and configuration keys come from it.
struct OptionTable: Sendable {
    let options: [CommandOption]

    /// The table for a build with these backends; the first transport is the default.
    init(transports: [String], frontends: [String]) {
        options =
            Self.what + Self.how(transports) + Self.show(frontends) + Self.other
    }

    /// The option of that name; every name has one.
    subscript(_ name: OptionName) -> CommandOption {
        guard let option = options.first(where: { $0.name == name }) else {
            preconditionFailure("the option \(name.rawValue) is not in the table")
        }
        return option
    }

    /// The option with that long name, without the dashes.
    func option(long: String) -> CommandOption? { options.first { $0.name.rawValue == long } }

    /// The option with that letter.
    func option(short: Character) -> CommandOption? { options.first { $0.short == short } }

    /// What holds when nobody says otherwise.
    var presets: SettingLayer {
        var layer = SettingLayer()
        for option in options {
            guard let preset = option.preset else { continue }
            guard let value = try? option.kind.parse(preset) else {
                preconditionFailure("the default of \(option.name.flag) is none of its values")
            }
            layer[option.name] = [Setting(value: value, origin: .preset)]
        }
        return layer
    }

    private static let defaults = SessionConfiguration()

    private static let what = [
        CommandOption(
            .input, "i", .text, "FILE|-", isRepeatable: true, verbs: [.get], group: .what,
            help: "lines of URL [out=PATH]; - is stdin", example: "whirl -i list.txt"),
        CommandOption(
            .output, "o", .text, "PATH|-", verbs: [.get], group: .what,
            help: "where the one URL goes; - is stdout", example: "whirl -o page.html https://example.org/"),
        CommandOption(
            .directory, "d", .text, "DIR", group: .what,
            help: "where files go", example: "whirl -d downloads URL"),
        CommandOption(
            .onExists, nil, .choice(SessionConfiguration.OnExists.allCases.map(\.rawValue)), "WHAT",
            preset: defaults.onExists.rawValue, group: .what,
            help: SessionConfiguration.OnExists.allCases.map(\.rawValue).joined(separator: "|")
                + " the file", example: "whirl --on-exists rename URL"),
        CommandOption(
            .header, "H", .header, "LINE", isRepeatable: true, verbs: [.get], group: .what,
            help: "sent with every request; repeatable", example: "whirl -H 'Accept: text/csv' URL"),
    ]

    private static func how(_ transports: [String]) -> [CommandOption] {
        [
            CommandOption(
                .transport, "t", .text, "NAME", preset: transports.first, group: .how,
                help: transports.joined(separator: ", "), example: "whirl -t \(transports.last ?? "NAME") URL"),
            CommandOption(
                .jobs, "j", .integer(1...1000), "N", preset: "\(defaults.jobs)", group: .how,
                help: "transfers at once", example: "whirl -j 16 -i list.txt"),
            CommandOption(
                .jobsPerHost, nil, .integer(1...1000), "N", group: .how,
                help: "the same for one host (default: as --jobs)", example: "whirl --jobs-per-host 2 -i list.txt"),
            CommandOption(
                .connectTimeout, nil, .seconds(0.001...86400), "S",
                preset: "\(OptionValue.number(defaults.connectTimeout))", group: .how,
                help: "seconds to get a connection", example: "whirl --connect-timeout 2.5 URL"),
            CommandOption(
                .idleTimeout, nil, .seconds(0.001...86400), "S",
                preset: "\(OptionValue.number(defaults.idleTimeout))", group: .how,
                help: "seconds without a byte at most", example: "whirl --idle-timeout 10 URL"),
            CommandOption(
                .startPaused, group: .how,
                help: "transfers wait until resumed", example: "whirl --start-paused -f ncurses URL"),
        ]
    }

    private static func show(_ frontends: [String]) -> [CommandOption] {
        [
            CommandOption(
                .frontend, "f", .text, "NAME", preset: FrontendChoice.automatic, group: .show,
                help: (FrontendChoice.words + frontends).joined(separator: ", "), example: "whirl -f log URL"),
            CommandOption(
                .events, nil, .text, "FILE|fd:N", group: .show,
                help: "JSON Lines of all that happens, beside the frontend", example: "whirl --events run.jsonl URL"),
            CommandOption(
                .color, nil, .choice(["auto", "always", "never"]), "WHEN", preset: "auto", group: .show,
                help: "auto, always, never", example: "whirl --color never URL"),
            CommandOption(
                .quiet, "q", group: .show,
                help: "nothing on stdout and stderr but what failed", example: "whirl -q URL"),
            CommandOption(.verbose, "v", group: .show, help: "more lines in the log", example: "whirl -v -f log URL"),
        ]
    }

    private static let other = [
        CommandOption(
            .config, nil, .text, "FILE", sources: .environment, group: .other,
            help: "settings in YAML, such as jobs: 4", example: "whirl --config whirl.yaml URL"),
        CommandOption(
            .noConfig, sources: [], group: .other,
            help: "no file, not even that of WHIRL_CONFIG", example: "whirl --no-config URL"),
        CommandOption(
            .json, sources: [], verbs: [.plugins], group: .other,
            help: "plugins as JSON", example: "whirl plugins --json"),
        CommandOption(
            .help, "h", sources: [], verbs: Verb.allCases, group: .other, help: "this text", example: "whirl --help"),
        CommandOption(
            .version, sources: [], verbs: Verb.allCases, group: .other,
            help: "the version", example: "whirl --version"),
    ]
}
