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
        case "schema": throw CommandError("whirl config schema takes no \(quoted(arguments.operands[1]))")
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
        try checkNames(settings, registry)
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

    /// The names of backends, which the table knows but does not check.
    private static func checkNames(_ settings: Settings, _ registry: Registry) throws(CommandError) {
        if let setting = settings.last(.transport) {
            do {
                _ = try registry.transport(setting.value.description)
            } catch {
                throw CommandError(setting.origin, error.message)
            }
        }
        guard let setting = settings.last(.frontend) else { return }
        let name = setting.value.description
        guard !FrontendChoice.words.contains(name) else { return }
        do {
            _ = try registry.frontend(name)
        } catch {
            throw CommandError(setting.origin, error.message)
        }
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
            var wrong = file.faults
            if wrong.isEmpty {
                do {
                    try checkNames(Settings(layers: [file.layer]), registry)
                } catch {
                    wrong = [error]
                }
            }
            faults += wrong
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
