/// What is shown.
extension OptionTable {
    /// What shows runs.
    static let shown: [Verb] = [.get, .demo, .replay]

    static func display(_ frontends: [String]) -> [CommandOption] {
        let names = FrontendChoice.words + frontends
        return [
            CommandOption(
                .frontend, "f", .name(names), "NAME", preset: FrontendChoice.automatic, verbs: shown,
                group: .display,
                help: names.joined(separator: ", "),
                detail: """
                    auto is the dashboard on a terminal, and log elsewhere, under CI and where ACCESSIBLE is set.
                    """,
                example: "whirl -f log URL"),
            CommandOption(
                .events, nil, .path, "FILE|fd:N", verbs: shown, group: .display,
                help: "JSON Lines of all that happens, beside the frontend", example: "whirl --events run.jsonl URL"),
            CommandOption(
                .progressInterval, nil, .interval(0...86400), "S|off", preset: "0.5", verbs: shown, group: .display,
                isRare: true, help: "seconds between progress events",
                example: "whirl -f jsonl --progress-interval 2 URL"),
            CommandOption(
                .logFile, nil, .path, "FILE", verbs: shown, group: .display, isRare: true,
                help: "the log, appended to a file beside the frontend", example: "whirl --log-file whirl.log URL"),
            CommandOption(
                .logTime, nil, .choice(["utc", "relative"]), "HOW", preset: "utc", verbs: shown, group: .display,
                isRare: true, help: "utc|relative: times in the log", example: "whirl -f log --log-time relative URL"),
            CommandOption(
                .color, nil, .choice(["auto", "always", "never"]), "WHEN", preset: "auto", verbs: shown,
                group: .display, isRare: true, help: "auto, always, never", example: "whirl --color never URL"),
            CommandOption(
                .fps, nil, .integer(1...30), "N", verbs: shown, group: .display, isRare: true,
                help: "frames per second of ncurses",
                detail: "At most: a terminal that takes them slowly gets fewer. Else 10, and 4 over ssh to begin with.",
                example: "whirl --fps 4 -f ncurses URL"),
            CommandOption(
                .quiet, "q", verbs: shown, group: .display,
                help: "nothing on stdout and stderr but what failed", example: "whirl -q URL"),
            CommandOption(
                .verbose, "v", verbs: shown, group: .display,
                help: "more lines in the log", example: "whirl -v -f log URL"),
            CommandOption(
                .speed, nil, .speed, "X|max", sources: [], verbs: [.replay], group: .display, isRare: true,
                help: "how fast a recorded run is shown",
                detail: """
                    Without it a file is shown at the speed it was recorded at, and what comes through a pipe as it comes.
                    """,
                example: "whirl replay --speed 10 run.jsonl"),
        ]
    }
}
