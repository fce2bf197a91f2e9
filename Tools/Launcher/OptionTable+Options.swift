import WhirlCore
import WhirlSession

/// Every option; nothing stands here that does not work.
extension OptionTable {
    private static let defaults = SessionConfiguration()

    static let what = [
        CommandOption(
            .input, "i", .path, "FILE|-", isRepeatable: true, verbs: [.get], group: .what,
            help: "lines of URL [out=PATH sha256=HEX size=N]", example: "whirl -i list.txt"),
        CommandOption(
            .output, "o", .path, "PATH|-", verbs: [.get], group: .what,
            help: "the name; many: {index}-{name}; - is stdout",
            example: "whirl -o page.html https://example.org/"),
        CommandOption(
            .directory, "d", .path, "DIR", group: .what,
            help: "where files go", example: "whirl -d downloads URL"),
        CommandOption(
            .checksum, nil, .checksum, "ALGO:HEX", isRepeatable: true, verbs: [.get], group: .what,
            help: "what the one URL's bytes must hash to", example: "whirl --checksum md5:\(emptyDigest) URL"),
        CommandOption(
            .onExists, nil, .choice(SessionConfiguration.OnExists.allCases.map(\.rawValue)), "WHAT",
            preset: defaults.onExists.rawValue, group: .what,
            help: words(SessionConfiguration.OnExists.self) + " the file", example: "whirl --on-exists rename URL"),
        CommandOption(
            .resume, nil, .choice(SessionConfiguration.Resume.allCases.map(\.rawValue)), "HOW",
            preset: defaults.resume.rawValue, group: .what,
            help: words(SessionConfiguration.Resume.self), example: "whirl --resume strict URL"),
        CommandOption(
            .refresh, group: .what, isRare: true,
            help: "fetch what is there again, if the server has newer", example: "whirl --refresh URL"),
        CommandOption(
            .remoteName, group: .what, isRare: true,
            help: "the name that the server proposes", example: "whirl --remote-name URL"),
        CommandOption(
            .remoteTime, group: .what, isRare: true,
            help: "the server's time for the file", example: "whirl --remote-time URL"),
        CommandOption(
            .maxSize, nil, .size, "SIZE", group: .what, isRare: true,
            help: "no file larger than that, such as 2G", example: "whirl --max-size 2G URL"),
        CommandOption(
            .durability, nil, .choice(SessionConfiguration.Durability.allCases.map(\.rawValue)), "WHAT",
            preset: defaults.durability.rawValue, group: .what, isRare: true,
            help: words(SessionConfiguration.Durability.self) + " synced", example: "whirl --durability full URL"),
    ]

    private static let emptyDigest = "d41d8cd98f00b204e9800998ecf8427e"

    private static func words<Word: CaseIterable & RawRepresentable<String>>(_ type: Word.Type) -> String {
        type.allCases.map(\.rawValue).joined(separator: "|")
    }

    static let how = [
        CommandOption(
            .jobs, "j", .integer(1...1000), "N", preset: "\(defaults.jobs)", group: .how,
            help: "transfers at once", example: "whirl -j 16 -i list.txt"),
        CommandOption(
            .jobsPerHost, nil, .integer(1...1000), "N", group: .how,
            help: "the same for one host (default: as --jobs)", example: "whirl --jobs-per-host 2 -i list.txt"),
        CommandOption(
            .limitRate, nil, .byteRate, "RATE", need: .capability(.backpressure), group: .how,
            help: "bytes per second of the run, such as 500k", example: "whirl --limit-rate 2M URL"),
        CommandOption(
            .limitRatePerTask, nil, .byteRate, "RATE", need: .capability(.backpressure), group: .how, isRare: true,
            help: "bytes per second of each transfer", example: "whirl --limit-rate-per-task 500k URL"),
        CommandOption(
            .startRate, nil, .startRate, "N/s", group: .how, isRare: true,
            help: "requests that may start per second", example: "whirl --start-rate 0.5/s -i list.txt"),
        CommandOption(
            .connectTimeout, nil, .seconds(0.001...86400), "S",
            preset: "\(OptionValue.number(defaults.connectTimeout))", group: .how,
            help: "seconds to get a connection", example: "whirl --connect-timeout 2.5 URL"),
        CommandOption(
            .idleTimeout, nil, .seconds(0.001...86400), "S",
            preset: "\(OptionValue.number(defaults.idleTimeout))", group: .how,
            help: "seconds without a byte at most", example: "whirl --idle-timeout 10 URL"),
        CommandOption(
            .deadline, nil, .seconds(0.001...year), "S", group: .how,
            help: "seconds that the whole run may take", example: "whirl --deadline 3600 -i list.txt"),
        CommandOption(
            .retries, nil, .integer(0...1_000_000), "N", preset: "\(defaults.retries)", group: .how,
            help: "vain tries in a row after the first", example: "whirl --retries 0 URL"),
        CommandOption(
            .retryMaxTime, nil, .seconds(0...year), "S", group: .how, isRare: true,
            help: "no new try after so many seconds", example: "whirl --retry-max-time 600 URL"),
        CommandOption(
            .retryAfterMax, nil, .seconds(0...year), "S",
            preset: "\(OptionValue.number(defaults.retryAfterMax))", group: .how, isRare: true,
            help: "longest Retry-After to wait for", example: "whirl --retry-after-max 60 URL"),
        CommandOption(
            .failFast, group: .how, help: "the first failure ends the run", example: "whirl --fail-fast -i list.txt"),
        CommandOption(
            .onInterrupt, nil, .choice(OnInterrupt.allCases.map(\.rawValue)), "WHAT",
            preset: OnInterrupt.quit.rawValue, group: .how, isRare: true,
            help: "first Ctrl-C: quit|drain", example: "whirl --on-interrupt drain -i list.txt"),
        CommandOption(
            .startPaused, group: .how, isRare: true,
            help: "transfers wait until resumed", example: "whirl --start-paused -f ncurses URL"),
    ]

    private static let year = 31_536_000.0

    static func network(_ transports: [String]) -> [CommandOption] {
        [
            CommandOption(
                .transport, "t", .text, "NAME", preset: transports.first, group: .network,
                help: transports.joined(separator: ", "), example: "whirl -t \(transports.last ?? "NAME") URL"),
            CommandOption(
                .header, "H", .header, "LINE", isRepeatable: true, verbs: [.get], group: .network,
                help: "sent with every request; repeatable", example: "whirl -H 'Accept: text/csv' URL"),
            CommandOption(
                .user, nil, .credentials, "NAME[:PASS]", verbs: [.get], group: .network,
                help: "who to be; asks for a PASS not given", example: "whirl --user me URL"),
            CommandOption(
                .netrc, verbs: [.get], group: .network,
                help: "names and passwords from ~/.netrc", example: "whirl --netrc URL"),
            CommandOption(
                .netrcFile, nil, .path, "FILE", verbs: [.get], group: .network, isRare: true,
                help: "the same from another file", example: "whirl --netrc-file secrets/netrc URL"),
            CommandOption(
                .proxy, nil, .secret, "URL", verbs: [.get], need: .key, group: .network,
                help: "http, https, socks4[a], socks5[h]", example: "whirl --proxy http://proxy:3128 URL"),
            CommandOption(
                .cacert, nil, .path, "FILE", verbs: [.get], need: .key, group: .network,
                help: "certificates to trust, PEM", example: "whirl --cacert ca.pem URL"),
            CommandOption(
                .insecure, verbs: [.get], need: .key, group: .network,
                help: "trust any certificate", example: "whirl --insecure URL"),
            CommandOption(
                .userAgent, nil, .text, "TEXT", verbs: [.get], group: .network, isRare: true,
                help: "what to be called", example: "whirl --user-agent Mozilla/5.0 URL"),
            CommandOption(
                .http1, verbs: [.get], need: .key, group: .network, isRare: true,
                help: "no HTTP/2", example: "whirl --http1.1 URL"),
            CommandOption(
                .resolve, nil, .text, "HOST:PORT:ADDR", isRepeatable: true, verbs: [.get], need: .key, group: .network,
                isRare: true, help: "the host's address; repeatable",
                example: "whirl --resolve a.test:443:127.0.0.1 URL"),
        ]
    }

    static func show(_ frontends: [String]) -> [CommandOption] {
        [
            CommandOption(
                .frontend, "f", .text, "NAME", preset: FrontendChoice.automatic, group: .show,
                help: (FrontendChoice.words + frontends).joined(separator: ", "), example: "whirl -f log URL"),
            CommandOption(
                .events, nil, .path, "FILE|fd:N", group: .show,
                help: "JSON Lines of all that happens, beside the frontend", example: "whirl --events run.jsonl URL"),
            CommandOption(
                .color, nil, .choice(["auto", "always", "never"]), "WHEN", preset: "auto", group: .show, isRare: true,
                help: "auto, always, never", example: "whirl --color never URL"),
            CommandOption(
                .quiet, "q", group: .show,
                help: "nothing on stdout and stderr but what failed", example: "whirl -q URL"),
            CommandOption(.verbose, "v", group: .show, help: "more lines in the log", example: "whirl -v -f log URL"),
        ]
    }

    static let other = [
        CommandOption(
            .config, nil, .path, "FILE", sources: .environment, group: .other,
            help: "settings in YAML, such as jobs: 4", example: "whirl --config whirl.yaml URL"),
        CommandOption(
            .noConfig, sources: [], group: .other, isRare: true,
            help: "no file, not even that of WHIRL_CONFIG", example: "whirl --no-config URL"),
        CommandOption(
            .json, sources: [], verbs: [.plugins], group: .other, isRare: true,
            help: "plugins as JSON", example: "whirl plugins --json"),
        CommandOption(
            .help, "h", sources: [], verbs: Verb.allCases, group: .other, help: "this text; --help all: every option",
            example: "whirl --help"),
        CommandOption(
            .version, sources: [], verbs: Verb.allCases, group: .other,
            help: "the version", example: "whirl --version"),
    ]
}
