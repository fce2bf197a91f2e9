import WhirlBoard

/// `whirl config`: the settings in force, what is wrong with files, and a schema for editors.
enum ConfigCommand {
    /// What it prints.
    static func text(
        _ arguments: Arguments, environment: [String: String], registry: Registry
    ) throws(CommandError) -> String {
        switch arguments.operands.first {
        case nil: return try inForce(arguments, environment, registry)
        case "check": return try check(Array(arguments.operands.dropFirst()), environment, registry)
        case "schema" where arguments.operands.count == 1: return ConfigurationSchema(registry: registry).text
        case "schema": throw CommandError("whirl config schema takes no \(quoted(arguments.operands[1])); leave it out")
        case let word?:
            let hint = Suggestion.phrase(for: word, among: ["check", "schema"])
            throw CommandError("whirl config takes no \(quoted(word))\(hint.isEmpty ? "; there is check" : hint)")
        }
    }

    private static func inForce(
        _ arguments: Arguments, _ environment: [String: String], _ registry: Registry
    ) throws(CommandError) -> String {
        let table = registry.table
        let settings = try Launcher.settings(arguments, environment: environment, table: table)
        if let error = wrongNames(settings, registry).first { throw error.error }
        let isExplained = arguments.settings[.explain]?.last?.value == .flag(true)
        let body = ConfigurationText(settings: settings, table: table, isExplained: isExplained).text
        return (isExplained ? head(settings) : "") + body
    }

    /// Which files were read, strongest first.
    private static func head(_ settings: Settings) -> String {
        let files = settings.sources.map { source in
            let role =
                switch source.role {
                case .named: "--config"
                case .project: "project"
                case .user: "user"
                }
            return "\(clean(source.path)) (\(role)\(source.isThere ? "" : ", not there"))"
        }
        let all = ["flags", "variables"] + files + ["defaults"]
        return "# Strongest first:\n" + all.map { "#   \($0)\n" }.joined() + "\n"
    }

    /// What is wrong with the names of backends, which the table knows but does not check.
    private static func wrongNames(_ settings: Settings, _ registry: Registry) -> [ConfigurationFile.Fault] {
        var faults: [ConfigurationFile.Fault] = []
        func check(_ option: OptionName, _ find: (String) throws(CommandError) -> Void) {
            guard let setting = settings.last(option) else { return }
            do throws(CommandError) {
                try find(setting.value.description)
            } catch {
                let line = if case .file(_, let line, _, _) = setting.origin { line } else { 0 }
                faults.append(ConfigurationFile.Fault(line: line, error: CommandError(setting.origin, error.message)))
            }
        }
        check(.transport) { name throws(CommandError) in _ = try registry.transport(name) }
        check(.frontend) { name throws(CommandError) in
            if !FrontendChoice.words.contains(name) { _ = try registry.frontend(name) }
        }
        return faults
    }

    /// What those files say is right; without any, those that would be read.
    private static func check(
        _ paths: [String], _ environment: [String: String], _ registry: Registry
    ) throws(CommandError) -> String {
        let table = registry.table
        var sources = paths.map { ($0, role(of: $0)) }
        if sources.isEmpty {
            let files = [(ConfigurationFiles.projectName, ConfigurationFile.Role.project)]
            sources = (files + (ConfigurationFiles.userPath(environment).map { [($0, .user)] } ?? []))
                .filter { ConfigurationFiles.isThere($0.0) }
        }
        var faults: [CommandError] = []
        var lines: [String] = []
        for (path, role) in sources {
            let file = try ConfigurationFile(at: path, as: role, by: table, home: environment["HOME"])
            let wrong = file.faults + wrongNames(Settings(layers: [file.layer]), registry)
            faults += wrong.sorted { $0.line < $1.line }.map(\.error)
            for warning in file.warnings { Output.complain(warning) }
            if wrong.isEmpty { lines.append("\(clean(path)): right, settings: \(file.layer.count)\n") }
        }
        guard let last = faults.last else {
            return lines.isEmpty ? "there is no file to check: neither whirl.yaml nor the user's\n" : lines.joined()
        }
        Output.write(lines.joined(), to: 1)
        for fault in faults.dropLast() { Output.complain(fault.message) }
        throw last
    }

    /// A file with the name of a project's is to be one.
    private static func role(of path: String) -> ConfigurationFile.Role {
        path.split(separator: "/").last == ConfigurationFiles.projectName[...] ? .project : .named
    }
}
