import WhirlCore

/// The network, and who to be there.
extension OptionTable {
    static func network(_ transports: [String]) -> [CommandOption] {
        [
            CommandOption(
                .transport, "t", .name(transports), "NAME", preset: transports.first, group: .network,
                help: transports.joined(separator: ", "), detail: "whirl plugins says what each can do.",
                example: "whirl -t \(transports.last ?? "NAME") URL"),
            CommandOption(
                .header, "H", .header, "LINE", isRepeatable: true, verbs: [.get], reservation: .secret,
                group: .network,
                help: "sent with every request; repeatable",
                detail: "Credentials and cookies go to the origin of a request's own URL and to no other.",
                example: "whirl -H 'Accept: text/csv' URL"),
            CommandOption(
                .user, nil, .credentials, "NAME[:PASS]", verbs: [.get], reservation: .secret, group: .network,
                help: "who to be; asks for a PASS not given",
                detail: """
                    Sent as Basic to the origin of each URL and to no other; those in a URL itself come first. On a \
                    command line others can read it: leave PASS out, or keep it in a file.
                    """,
                example: "whirl --user me URL"),
            CommandOption(
                .netrc, verbs: [.get], reservation: .secret, group: .network,
                help: "names and passwords from ~/.netrc", example: "whirl --netrc URL"),
            CommandOption(
                .netrcFile, nil, .path, "FILE", verbs: [.get], reservation: .secret, group: .network, isRare: true,
                help: "the same from another file", example: "whirl --netrc-file secrets/netrc URL"),
            CommandOption(
                .proxy, nil, .secret, "URL", verbs: [.get], need: .key, reservation: .route, group: .network,
                help: "http, https, socks4[a], socks5[h]",
                detail: """
                    Without it the variables http_proxy, https_proxy and no_proxy count; no_proxy holds with it too.
                    """,
                example: "whirl --proxy http://proxy:3128 URL"),
            CommandOption(
                .cacert, nil, .path, "FILE", verbs: [.get], need: .key, reservation: .route, group: .network,
                help: "certificates to trust, PEM", detail: "These, instead of those of the system.",
                example: "whirl --cacert ca.pem URL"),
            CommandOption(
                .insecure, verbs: [.get], need: .key, reservation: .route, group: .network,
                help: "trust any certificate", detail: "Anyone on the way can then read and change what comes.",
                example: "whirl --insecure URL"),
            CommandOption(
                .userAgent, nil, .text, "TEXT", verbs: [.get], group: .network, isRare: true,
                help: "what to be called", example: "whirl --user-agent Mozilla/5.0 URL"),
            CommandOption(
                .http1, verbs: [.get], need: .key, group: .network, isRare: true,
                help: "no HTTP/2", example: "whirl --http1.1 URL"),
            CommandOption(
                .resolve, nil, .text, "HOST:PORT:ADDR", isRepeatable: true, verbs: [.get], need: .key,
                reservation: .route, group: .network, isRare: true, help: "the host's address; repeatable",
                example: "whirl --resolve a.test:443:127.0.0.1 URL"),
        ]
    }
}
