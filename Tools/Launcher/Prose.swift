/// What the manual and the reference say beyond the table.
enum Prose {
    enum Paragraph {
        /// Sentences; `words` between backquotes are as they are typed.
        case text(String)
        /// Lines of a file or a shell.
        case code(String)
    }

    static let description: [Paragraph] = [
        .text(
            """
            whirl transfers URLs and shows how far they are: on a full screen, as lines of a log, or as JSON Lines for \
            programs.
            """),
        .text(
            """
            A file has its name only when it is whole. Until then it is `NAME.part`, and `NAME.part.state` beside it says \
            what the bytes are. The same command once more continues what was cut off, when the server proves that the \
            file is still the same, and moves nothing that is there.
            """),
    ]

    static let configuration: [Paragraph] = [
        .text(
            """
            Every setting can be a flag, a variable and a line of a file. Flags are stronger than variables, those \
            than the files that `--config` names (a later one is stronger than an earlier one), those than `whirl.yaml` \
            in the current folder, that than the user's file, and that than the defaults. The user's file is \
            `$XDG_CONFIG_HOME/whirl/config.yaml`, or `~/.config/whirl/config.yaml`. `--no-config` leaves out all but those \
            that stand on the command line. An option that may be repeated is taken whole from the strongest source that \
            has it.
            """),
        .text(
            """
            A file is YAML, and so may be JSON: a mapping from the names of options to values, and to lists of values \
            where an option may be repeated. Without anchors, aliases, tags and second documents; a key stands once. \
            `whirl config check FILE` says what is wrong, with line and column.
            """),
        .code(
            """
            jobs: 16
            directory: downloads
            limit-rate: 2M
            header:
              - 'Accept: text/csv'
            """),
        .text(
            """
            A variable is `WHIRL_` and the option's name in capitals, with `_` for `-` and `.`: `WHIRL_LIMIT_RATE=2M`. A \
            flag takes `true` or `false`, and a repeatable option one value a line. An empty variable counts as unset.
            """),
    ]

    static let secrets: [Paragraph] = [
        .text(
            """
            The values of `user`, `header` and `proxy` need not stand in a file: the user's file, and those of `--config`, \
            may say where they are. `file` is a path, relative to the folder of the configuration, and nobody else may be \
            able to read that file (`chmod 600`). `command` is given to `sh`. It may take 300 s, as \
            for typing a password; what it leaves running does not count. Of either the first line is taken, after \
            `prefix` if there is one, when a transfer begins and not before. Neither it nor a command is ever printed.
            """),
        .code(
            """
            user: {prefix: 'me:', command: pass show example.org}
            header:
              - {prefix: 'Authorization: Bearer ', file: token}
            """),
        .text(
            """
            A file with a secret in it that others can read is warned of. One that says where secrets are, and that others \
            can change, is refused.
            """),
    ]

    static let project: [Paragraph] = [
        .text(
            """
            `whirl.yaml` comes with the files of a project, perhaps from strangers, and is read because of where it lies. \
            So it may set neither secrets nor what leads to them, nor the way to servers and whom to trust, nor let others \
            command the run; and paths in it may not lead out of its folder, through links neither. What it may not set \
            is refused with the reason. Named by `--config` it may say what any file may.
            """)
    ]

    static let exits = [
        ("0", "All done."), ("1", "A transfer failed."),
        ("2", "Wrong usage: options, configuration, lists, two URLs for one file."),
        ("3", "Something could not be written."), ("4", "Not the expected bytes."), ("5", "Cancelled."),
        ("70", "A fault of whirl."),
        ("128+N", "Ended by signal N; 141 when the reader of the body or the stream went away."),
    ]

    static let variables = [
        ("http_proxy, https_proxy, no_proxy", "The way to servers, and to which there is none; curl only."),
        ("CURL_CA_BUNDLE, SSL_CERT_FILE", "Certificates to trust, where --cacert does not say; curl only."),
        ("XDG_CONFIG_HOME, HOME", "Where the user's file and .netrc lie."),
        ("TERM, CI, ACCESSIBLE", "Whether the dashboard suits."),
        ("NO_COLOR, CLICOLOR_FORCE, FORCE_COLOR", "Whether there are colours, where --color does not say."),
    ]

    static let examples = [
        ("Into this folder:", "whirl https://example.org/file.iso"),
        ("A list, sixteen at once, into another folder:", "whirl -i list.txt -j 16 -d downloads"),
        ("To a pipe:", "whirl -o - https://example.org/files.tar.gz | tar xz"),
        (
            "What has failed, for a program:",
            "whirl -f jsonl -i list.txt | jq 'select(.type == \"failed\").error.message'"
        ),
        ("At night, and no longer than an hour:", "whirl -q --deadline 3600 -i list.txt"),
    ]
}
