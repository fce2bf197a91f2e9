/// What is shown.
extension OptionTable {
    static func display(_ frontends: [String]) -> [CommandOption] {
        let names = FrontendChoice.words + frontends
        return [
            CommandOption(
                .frontend, "f", .name(names), "NAME", preset: FrontendChoice.automatic, group: .display,
                help: names.joined(separator: ", "),
                detail: """
                    auto is the dashboard on a terminal, and log elsewhere, under CI and where ACCESSIBLE is set.
                    """,
                example: "whirl -f log URL"),
            CommandOption(
                .events, nil, .path, "FILE|fd:N", group: .display,
                help: "JSON Lines of all that happens, beside the frontend", example: "whirl --events run.jsonl URL"),
            CommandOption(
                .color, nil, .choice(["auto", "always", "never"]), "WHEN", preset: "auto", group: .display,
                isRare: true,
                help: "auto, always, never", example: "whirl --color never URL"),
            CommandOption(
                .fps, nil, .integer(1...30), "N", group: .display, isRare: true,
                help: "frames per second of ncurses",
                detail: "At most: a terminal that takes them slowly gets fewer. Else 10, and 4 over ssh to begin with.",
                example: "whirl --fps 4 -f ncurses URL"),
            CommandOption(
                .quiet, "q", group: .display,
                help: "nothing on stdout and stderr but what failed", example: "whirl -q URL"),
            CommandOption(
                .verbose, "v", group: .display, help: "more lines in the log", example: "whirl -v -f log URL"),
        ]
    }
}
