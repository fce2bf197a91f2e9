/// The page `configuration.md`: how settings come together, and every one there is.
struct ConfigurationReference {
    let registry: Registry

    var text: String {
        let parts = [
            "# Configuration\n", "<!-- Written by Tools/update-tables from the table of options. -->\n",
            Self.paragraphs(Prose.configuration), Self.checking, "## Secrets\n", Self.paragraphs(Prose.secrets),
            "## The file of a project\n", Self.paragraphs(Prose.project), "## Every setting\n", tables,
            "## Only on the command line\n", rest,
        ]
        return parts.joined(separator: "\n")
    }

    private static let checking = """
        `whirl config` prints the settings in force; its output can be given to `--config`. `whirl config --explain` says
        where each came from and what it overrode:

        ```console
        $ WHIRL_JOBS=6 whirl config --explain -j 4
        ...
        jobs: 4  # -j; over WHIRL_JOBS: 6; whirl.yaml:3:7: 12; default: 8
        ```

        [configuration.schema.json](configuration.schema.json), which `whirl config schema` prints too, makes editors
        propose keys and values: `# yaml-language-server: $schema=PATH` as the first line of a file.

        """

    private var tables: String {
        CommandOption.Group.allCases.compactMap { group in
            let options = registry.table.options.filter { $0.group == group && $0.sources.contains(.configuration) }
            guard !options.isEmpty else { return nil }
            return "### \(group.title)\n\n| key | variable | values | default | |\n| --- | --- | --- | --- | --- |\n"
                + options.map(row).joined()
        }.joined(separator: "\n")
    }

    private func row(_ option: CommandOption) -> String {
        let facts = OptionFacts(option, registry)
        let values = facts.values ?? (option.kind == .flag ? "true, false" : option.placeholder ?? "")
        var notes = [option.help]
        if option.isRepeatable { notes.append("a list") }
        if let transports = facts.transports { notes.append("with \(transports) only") }
        if option.reservation != nil { notes.append("not for the file of a project") }
        let cells = [
            "`\(option.name.rawValue)`", "`\(option.name.variable)`", Self.cell(values), option.preset ?? "",
            Self.cell(notes.joined(separator: "; ")),
        ]
        return "| \(cells.joined(separator: " | ")) |\n"
    }

    private var rest: String {
        let options = registry.table.options.filter { !$0.sources.contains(.configuration) }
        return options.map { option in
            let variable = option.sources.contains(.environment) ? ", `\(option.name.variable)`" : ""
            return "- `\(option.synopsis)`\(variable): \(option.help)\n"
        }.joined()
    }

    private static func paragraphs(_ paragraphs: [Prose.Paragraph]) -> String {
        paragraphs.map { paragraph in
            switch paragraph {
            case .text(let text): wrapped(text)
            case .code(let text): "```yaml\n\(text)\n```\n"
            }
        }.joined(separator: "\n")
    }

    private static func cell(_ text: String) -> String { text.map { $0 == "|" ? "\\|" : String($0) }.joined() }

    private static func wrapped(_ text: String) -> String {
        var lines = [""]
        for word in text.split(separator: " ") {
            let length = lines[lines.count - 1].count
            if length > 0, length + 1 + word.count > 120 { lines.append("") }
            lines[lines.count - 1] += lines[lines.count - 1].isEmpty ? "\(word)" : " \(word)"
        }
        return lines.map { "\($0)\n" }.joined()
    }
}
