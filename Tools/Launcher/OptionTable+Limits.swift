import WhirlCore
import WhirlSession

/// How much at once, and for how long.
extension OptionTable {
    private static let defaults = SessionConfiguration()

    static let limits = [
        CommandOption(
            .jobs, "j", .integer(1...1000), "N", preset: "\(defaults.jobs)", group: .limits,
            help: "transfers at once", example: "whirl -j 16 -i list.txt"),
        CommandOption(
            .jobsPerHost, nil, .integer(1...1000), "N", group: .limits, isRare: true,
            help: "the same for one host (default: as --jobs)", example: "whirl --jobs-per-host 2 -i list.txt"),
        CommandOption(
            .limitRate, nil, .byteRate, "RATE", need: .capability(.backpressure), group: .limits,
            help: "bytes per second of the run, such as 500k", detail: "k, M, G and T are powers of 1024.",
            example: "whirl --limit-rate 2M URL"),
        CommandOption(
            .limitRatePerTask, nil, .byteRate, "RATE", need: .capability(.backpressure), group: .limits,
            isRare: true,
            help: "bytes per second of each transfer", example: "whirl --limit-rate-per-task 500k URL"),
        CommandOption(
            .startRate, nil, .startRate, "N/s", group: .limits, isRare: true,
            help: "requests that may start per second", example: "whirl --start-rate 0.5/s -i list.txt"),
        CommandOption(
            .connectTimeout, nil, .seconds(0.001...86400), "S",
            preset: "\(OptionValue.number(defaults.connectTimeout))", group: .limits,
            help: "seconds to get a connection", example: "whirl --connect-timeout 2.5 URL"),
        CommandOption(
            .idleTimeout, nil, .seconds(0.001...86400), "S",
            preset: "\(OptionValue.number(defaults.idleTimeout))", group: .limits,
            help: "seconds without a byte at most",
            detail: "Bytes that move keep a transfer alive, however long it takes.",
            example: "whirl --idle-timeout 10 URL"),
        CommandOption(
            .deadline, nil, .seconds(0.001...year), "S", group: .limits,
            help: "seconds that the whole run may take",
            detail: "What is not whole by then has failed, and keeps what it has for the next run.",
            example: "whirl --deadline 3600 -i list.txt"),
        CommandOption(
            .retries, nil, .integer(0...1_000_000), "N", preset: "\(defaults.retries)", group: .limits,
            help: "more tries after a failure",
            detail: """
                A try that gained 1 MiB does not count. Connections that fail, stall or break off are tried again, and \
                answers that may pass, such as 503; a 404 is not. The wait is random, from half a second to a ceiling \
                that doubles up to 30 s.
                """,
            example: "whirl --retries 0 URL"),
        CommandOption(
            .retryMaxTime, nil, .seconds(0...year), "S", group: .limits, isRare: true,
            help: "no new try after so many seconds", example: "whirl --retry-max-time 600 URL"),
        CommandOption(
            .retryAfterMax, nil, .seconds(0...year), "S",
            preset: "\(OptionValue.number(defaults.retryAfterMax))", group: .limits, isRare: true,
            help: "longest Retry-After to wait for",
            detail: "When a server asks for more, the transfer fails at once.",
            example: "whirl --retry-after-max 60 URL"),
        CommandOption(
            .failFast, group: .limits, help: "the first failure ends the run",
            example: "whirl --fail-fast -i list.txt"),
        CommandOption(
            .onInterrupt, nil, .choice(OnInterrupt.allCases.map(\.rawValue)), "WHAT",
            preset: OnInterrupt.quit.rawValue, group: .limits, isRare: true,
            help: "first Ctrl-C: quit|drain",
            detail: "With drain what runs may end and nothing else starts; the next Ctrl-C quits.",
            example: "whirl --on-interrupt drain -i list.txt"),
        CommandOption(
            .startPaused, group: .limits, isRare: true,
            help: "transfers wait until resumed", example: "whirl --start-paused -f ncurses URL"),
        CommandOption(
            .control, nil, .path, "fd:N|FILE|unix:PATH", verbs: [.get], reservation: .control, group: .limits,
            isRare: true, help: "commands, as JSON Lines",
            detail: """
                A FILE is read to its end; a FIFO stays open for one writer after the other. unix:PATH is a socket for \
                processes of the same user; whoever connects also sees the stream of events. Without a URL or a list the \
                run waits for commands that add transfers.
                """, example: "whirl --control unix:run.socket -i list.txt"),
        CommandOption(
            .journal, nil, .path, "FILE", verbs: [.get], group: .limits,
            help: "note in FILE what is done; skip it next time",
            detail: """
                The run's stream of events is added to FILE. What the streams there show as completed is skipped, as long as \
                its file is there: a long list that was stopped is gone on with by the same command. One run at a time.
                """, example: "whirl --journal done.jsonl -i list.txt"),
    ]

    private static let year = 31_536_000.0
}
