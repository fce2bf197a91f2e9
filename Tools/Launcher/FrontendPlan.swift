import Glibc
import WhirlCore

/// What will show the run.
struct FrontendPlan: Sendable {
    /// A frontend and what it is made with.
    struct Part: Sendable {
        let plugin: FrontendPlugin
        fileprivate(set) var context: PluginContext
        /// Where the wish for it came from, for errors.
        let origin: Origin
        /// Whether it stands beside the frontend (`--events`).
        fileprivate(set) var isBeside = false
    }

    private(set) var parts: [Part] = []
    /// What is shown instead when the first part can't work here; nil when it was asked for by name.
    private(set) var substitute: Part?

    /// The frontends that the settings ask for, or that suit.
    init(
        _ settings: Settings, registry: Registry, environment: [String: String], readsStandardInput: Bool
    ) throws(CommandError) {
        guard let wish = settings.last(.frontend) else { return }
        func part(_ name: String) throws(CommandError) -> Part {
            do {
                let plugin = try registry.frontend(name)
                return Part(
                    plugin: plugin, context: Self.context(settings, plugin, environment, events: nil),
                    origin: wish.origin)
            } catch {
                throw CommandError(wish.origin, error.message)
            }
        }
        try Self.checkStandardOutput(settings)
        switch wish.value.description {
        case FrontendChoice.none: break
        case FrontendChoice.automatic:
            let log = try part(Registry.log)
            let suits = Self.suitsDashboard(settings, environment, readsStandardInput)
            if suits, let dashboard = try? part(Registry.dashboard) {
                (parts, substitute) = ([dashboard], log)
            } else {
                parts = [log]
            }
        case Registry.stream where settings.isOn(.quiet): parts = [try part(Registry.log)]
        case let name: parts = [try part(name)]
        }
        try addEvents(settings, registry, environment)
        try addLog(settings, registry, environment)
    }

    /// What writes records on the standard output; nil when nothing does.
    var stream: Part? { parts.first { $0.plugin.name == Registry.stream && !$0.isBeside } }

    /// Whether a person can pause and resume.
    var hasKeys: Bool { parts.contains { $0.plugin.name == Registry.dashboard } }

    /// The same with the substitute; nil when there is none.
    var withSubstitute: FrontendPlan? {
        guard let substitute else { return nil }
        var plan = self
        plan.parts[0] = substitute
        plan.substitute = nil
        return plan
    }

    /// Tells those who show the run that its files are gone after it.
    mutating func tellOfDiscard() {
        for index in parts.indices { parts[index].context.settings["discards"] = "true" }
        substitute?.context.settings["discards"] = "true"
    }

    /// Lets those who show the run go by that clock.
    mutating func go(by clock: @escaping @Sendable () -> UInt64) {
        for index in parts.indices { parts[index].context.clock = clock }
        substitute?.context.clock = clock
    }

    /// Makes the frontends.
    ///
    /// Throws when one that was asked for by name can't work here.
    func make() throws(CommandError) -> [any Frontend] {
        var frontends: [any Frontend] = []
        for part in parts {
            do {
                frontends.append(try part.plugin.make(part.context))
            } catch {
                throw CommandError("\(part.origin): \(ExitStatus.sentence(error))", exit: ExitStatus.of(error))
            }
        }
        return frontends
    }

    /// The file that the events go to; nil when there is none.
    var eventsPath: String? { parts.compactMap { $0.context.settings[Registry.streamTarget] }.last }

    private mutating func addEvents(
        _ settings: Settings, _ registry: Registry, _ environment: [String: String]
    ) throws(CommandError) {
        guard let setting = settings.last(.events) else { return }
        let plugin = try registry.frontend(Registry.stream)
        let context = Self.context(settings, plugin, environment, events: setting.value.description)
        parts.append(Part(plugin: plugin, context: context, origin: setting.origin, isBeside: true))
    }

    /// A log in a file, beside what else shows the run.
    private mutating func addLog(
        _ settings: Settings, _ registry: Registry, _ environment: [String: String]
    ) throws(CommandError) {
        guard let setting = settings.last(.logFile) else { return }
        let plugin = try registry.frontend(Registry.log)
        var context = Self.context(settings, plugin, environment, events: nil)
        context.settings[Registry.logTarget] = setting.value.description
        parts.append(Part(plugin: plugin, context: context, origin: setting.origin))
    }

    /// A stream goes where the events shall go, never where a body goes (`--output`).
    private static func context(
        _ settings: Settings, _ plugin: FrontendPlugin, _ environment: [String: String], events: String?
    ) -> PluginContext {
        var context = RunPlan.context(settings, keys: plugin.keys, environment)
        if plugin.name == Registry.stream { context.settings[Registry.streamTarget] = events }
        return context
    }

    /// A dashboard also needs the terminal for itself: not for a body, a list or silence.
    private static func suitsDashboard(
        _ settings: Settings, _ environment: [String: String], _ readsStandardInput: Bool
    ) -> Bool {
        if settings.isOn(.quiet) { return false }
        if settings.text(.output) == "-", isatty(STDOUT_FILENO) == 1 { return false }
        let readsStandardInput = readsStandardInput || settings.text(.control) == "fd:0"
        if readsStandardInput, isatty(STDIN_FILENO) == 1 { return false }
        return FrontendChoice.suitsDashboard(Terminal.surroundings(environment))
    }

    /// The standard output belongs to one: a body or a stream.
    private static func checkStandardOutput(_ settings: Settings) throws(CommandError) {
        var users: [(words: String, exit: Int32)] = []
        if let output = settings.last(.output), output.value == .text("-") { users.append(("\(output.origin) -", 3)) }
        // A stream that can't be written is found before anything starts, a body when it is written.
        if let frontend = settings.last(.frontend), frontend.value == .text(Registry.stream), !settings.isOn(.quiet) {
            users.append(("\(frontend.origin) \(Registry.stream)", 2))
        }
        if let events = settings.last(.events) {
            guard events.value != .text("-") else {
                throw CommandError(events.origin, "'-' is no file; write fd:1 for stdout")
            }
            if events.value == .text("fd:1") { users.append(("\(events.origin) fd:1", 2)) }
        }
        if let user = users.first, !StandardStreams.isOpen(STDOUT_FILENO) {
            throw CommandError(
                "\(user.words): stdout is closed; write it to a file, or use another descriptor", exit: user.exit)
        }
        guard users.count > 1 else { return }
        let both = users.map(\.words).joined(separator: " and ")
        throw CommandError("\(both) can't both have stdout; use --events FILE for events")
    }
}
