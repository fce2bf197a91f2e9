import FoundationEssentials
import Glibc
import WhirlSession

/// The command `whirl`.
public enum Launcher {
    /// Whirl's version.
    public static var version: String { SessionConfiguration().version }

    /// Does what the command line says and ends the process.
    public static func main() async -> Never {
        StandardStreams.fill()
        Signals.ignoreThoseOfWriting()
        Descriptors.raiseLimit()
        do {
            let ending = try await run(
                try CommandWords.given(), environment: ProcessInfo.processInfo.environment,
                registry: .wired)
            if let signal = ending.signal { Signals.end(by: signal) }
            Glibc.exit(ending.exit)
        } catch {
            Output.complain(error.message)
            Glibc.exit(error.exit)
        }
    }

    private static func run(
        _ words: [String], environment: [String: String], registry: Registry
    ) async throws(CommandError) -> Run.Ending {
        let table = registry.table
        guard !words.isEmpty else {
            Output.write(HelpText(registry: registry).first, to: STDERR_FILENO)
            return Run.Ending(exit: 2)
        }
        let arguments = try ArgumentParser.parse(words, by: table)
        if let text = try information(arguments, environment, registry) {
            return Run.Ending(exit: Output.answer(text))
        }
        var settings = try settings(arguments, environment: environment, table: table)
        if arguments.verb == .demo {
            return try await Demo.run(settings, registry: registry, environment: environment)
        }
        if arguments.verb == .replay {
            return try await replay(arguments.operands[0], settings, registry: registry, environment: environment)
        }
        if arguments.verb == .report { return try Report.run(arguments.operands, settings, environment: environment) }
        let inputs = try Inputs(operands: arguments.operands, settings: settings)
        guard !inputs.isEmpty || settings.last(.control) != nil else {
            throw CommandError("there is no URL; give one, or a list with -i FILE")
        }
        settings = try settings.revealed(by: table)
        var plan = try RunPlan(settings, registry: registry, environment: environment, inputs: inputs)
        try plan.check()
        if settings.isOn(.dryRun) {
            var run = try DryRun(plan)
            return try await run.perform()
        }
        // Last, as it may ask.
        plan.inputs.credentials = try Credentials(settings, environment: environment)
        plan.warnings += plan.inputs.credentials.warnings
        return try await Run(plan).perform()
    }

    private static func replay(
        _ path: String, _ settings: Settings, registry: Registry, environment: [String: String]
    ) async throws(CommandError) -> Run.Ending {
        for setting in settings.all(.events) + settings.all(.logFile) {
            // It would be emptied, or written into, while it is read.
            guard path == "-" || !FileBytes.areSame(path, setting.value.description) else {
                throw CommandError(setting.origin, "\(quoted(path)) is the stream that is shown; name another file")
            }
        }
        let plan = try FrontendPlan(
            settings, registry: registry, environment: environment, readsStandardInput: path == "-")
        let speed = settings.text(.speed) == nil ? settings.number(.speed) : 0
        return try await Replay(plan, path: path, speed: speed).perform()
    }

    /// The settings in force for these arguments; a project's file is looked for in `folder`.
    static func settings(
        _ arguments: Arguments, environment: [String: String], table: OptionTable, folder: String = "."
    ) throws(CommandError) -> Settings {
        let variables = try Environment.layer(environment, by: table)
        let given = Settings(layers: [arguments.settings, variables])
        let isAlone = given.isOn(.noConfig)
        let named = isAlone ? arguments.settings[.config] ?? [] : given.all(.config)
        let files = try ConfigurationFiles(
            named: named.map(\.value.description), isAlone: isAlone, environment: environment, folder: folder,
            table: table)
        var settings = Settings(
            layers: given.layers + files.layers + [table.presets], sources: files.sources, warnings: files.warnings)
        try settings.settle(.quiet, .verbose)
        return settings
    }

    /// What only prints; nil when there is more to do.
    private static func information(
        _ arguments: Arguments, _ environment: [String: String], _ registry: Registry
    ) throws(CommandError) -> String? {
        func isOn(_ name: OptionName) -> Bool { arguments.settings[name]?.last?.value == .flag(true) }
        if isOn(.version) { return "whirl \(version)\n" }
        if isOn(.help) || arguments.verb == .help {
            let verb = arguments.verb == .help ? [] : arguments.verb.map { [$0.rawValue] } ?? []
            return try HelpText(registry: registry).about(arguments.operands.isEmpty ? verb : arguments.operands)
        }
        switch arguments.verb {
        case .plugins:
            let list = PluginList(registry: registry, obstacles: Registry.obstacles(environment))
            return isOn(.json) ? list.json : list.text
        case .config: return try ConfigCommand.text(arguments, environment: environment, registry: registry)
        case .completions: return try Completions(registry: registry).text(for: arguments.operands[0])
        case .get, .replay, .report, .demo, .help, nil: return nil
        }
    }
}
