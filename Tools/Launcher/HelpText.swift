/// What `--help` prints, made from the table.
struct HelpText {
    let table: OptionTable

    /// The word after `--help` for all of it.
    static let everything = "all"

    /// What people need most, at most 60 lines of 80 columns.
    var usual: String { text(table.options.filter { !$0.isRare }, Self.rest) }

    /// Every option, with an example each.
    var full: String { text(table.options, "Examples:\n" + table.options.map { "  \($0.example)\n" }.joined()) }

    private func text(_ options: [CommandOption], _ rest: String) -> String {
        var lines = ["whirl \(Launcher.version) - transfers URLs and shows how far they are", ""]
        for (index, verb) in Verb.allCases.enumerated() {
            lines.append((index == 0 ? "usage: " : "       ") + Self.columns(verb.usage, verb.summary, 30))
        }
        for group in CommandOption.Group.allCases {
            lines += ["", "\(group.rawValue):"]
            lines += options.filter { $0.group == group }.map(line)
        }
        return lines.joined(separator: "\n") + "\n\n" + rest
    }

    private static let rest = """
        More options: whirl --help all. Each is also read from a variable (WHIRL_JOBS=4)
        and from the file (jobs: 4): flags win over variables, variables over the file.

        whirl -o - https://example.org/files.tar.gz | tar xz
        whirl -f jsonl -i list.txt | jq 'select(.type == "failed").error.message'

        Keys of ncurses: j k move, space pauses and resumes, x cancels, q quits.

        Exit: 0 all done, 1 a transfer failed, 2 wrong usage, 3 not written, 4 not the
        expected bytes, 5 cancelled, 70 a fault of whirl, 128+N ended by signal N.

        """

    /// What `whirl` alone prints: ten lines to begin with.
    var first: String {
        """
        whirl transfers URLs and shows how far they are.

          whirl https://example.org/file.iso        into this folder
          whirl -d downloads URL1 URL2              into another
          whirl -i list.txt -j 16                   a list, one URL a line
          whirl -o - URL | tar xz                   to a pipe
          whirl -f jsonl URL                        what happens, as JSON Lines
          whirl demo                                see it at work, without a network

        Give a URL, or try 'whirl --help'.

        """
    }

    private func line(_ option: CommandOption) -> String {
        let letter = option.short.map { "-\($0), " } ?? "    "
        let preset = option.preset.map { " (default: \($0))" } ?? ""
        return Self.columns("  \(letter)\(option.synopsis)", option.help + preset, 28)
    }

    private static func columns(_ left: String, _ right: String, _ width: Int) -> String {
        left + String(repeating: " ", count: max(2, width - left.count)) + right
    }
}
