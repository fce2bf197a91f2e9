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
                Array(CommandLine.arguments.dropFirst()), environment: ProcessInfo.processInfo.environment,
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
        if let text = try information(arguments, registry) {
            Output.write(text, to: STDOUT_FILENO)
            return Run.Ending(exit: 0)
        }
        let settings = try settings(arguments, environment: environment, table: table)
        if arguments.verb == .demo {
            return try await Demo.run(settings, registry: registry, environment: environment)
        }
        let inputs = try Inputs(operands: arguments.operands, settings: settings)
        guard inputs.count > 0 || !inputs.streams.isEmpty else {
            throw CommandError("there is no URL; give one, or a list with -i FILE")
        }
        var plan = try RunPlan(settings, registry: registry, environment: environment, inputs: inputs)
        try plan.check()
        // Last, as it may ask.
        plan.inputs.credentials = try Credentials(settings, environment: environment)
        return try await Run(plan).perform()
    }

    /// The settings in force for these arguments.
    static func settings(
        _ arguments: Arguments, environment: [String: String], table: OptionTable
    ) throws(CommandError) -> Settings {
        let variables = try Environment.layer(environment, by: table)
        let given = Settings(layers: [arguments.settings, variables])
        var layers = given.layers
        // Of those of the command line the later ones are stronger; without files only these are read.
        let named = given.isOn(.noConfig) ? arguments.settings[.config] ?? [] : given.all(.config)
        for path in named.reversed() {
            layers.append(try ConfigurationFile.layer(at: path.value.description, by: table))
        }
        let settings = Settings(layers: layers + [table.presets])
        if settings.isOn(.quiet), settings.isOn(.verbose),
            let quiet = settings.last(.quiet), let verbose = settings.last(.verbose)
        {
            throw CommandError("\(quiet.origin) and \(verbose.origin) contradict each other; leave one out")
        }
        return settings
    }

    /// What only prints; nil when there is more to do.
    private static func information(
        _ arguments: Arguments, _ registry: Registry
    ) throws(CommandError) -> String? {
        func isOn(_ name: OptionName) -> Bool { arguments.settings[name]?.last?.value == .flag(true) }
        if isOn(.version) { return "whirl \(version)\n" }
        if isOn(.help) || arguments.verb == .help {
            let verb = arguments.verb == .help ? [] : arguments.verb.map { [$0.rawValue] } ?? []
            return try HelpText(registry: registry).about(arguments.operands.isEmpty ? verb : arguments.operands)
        }
        guard arguments.verb == .plugins else { return nil }
        let list = PluginList(registry: registry)
        return isOn(.json) ? list.json : list.text
    }
}
