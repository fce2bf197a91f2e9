import Glibc
import WhirlCore
import WhirlSession

/// A run that has been checked whole; nothing has been started.
struct RunPlan: Sendable {
    var configuration = SessionConfiguration()
    var transport: TransportPlugin
    var context: PluginContext
    var frontends: FrontendPlan
    var inputs: Inputs
    /// What the first INT does.
    var onInterrupt = OnInterrupt.quit
    /// What people are to be warned of.
    private(set) var warnings: [Sentence] = []

    /// A plan of the settings in force.
    init(
        _ settings: Settings, registry: Registry, environment: [String: String], inputs: Inputs
    ) throws(CommandError) {
        guard let name = settings.text(.transport), let setting = settings.last(.transport) else {
            throw CommandError("this build has no transport; build it with the trait Curl or URLSession")
        }
        do {
            transport = try registry.transport(name)
        } catch {
            throw CommandError(setting.origin, error.message)
        }
        try Self.checkNeeds(settings, transport, registry)
        context = Self.context(settings, keys: transport.keys, environment)
        frontends = try FrontendPlan(settings, registry: registry, environment: environment, inputs: inputs)
        self.inputs = inputs
        warnings = inputs.warnings
        try configure(settings)
    }

    /// Throws when a request makes no sense or two would write to one path.
    func check() throws(CommandError) {
        let items = inputs.items
        var last: Inputs.Item?
        let requests = AnyIterator {
            last = items.next()
            return last?.failure == nil ? last?.request : nil
        }
        do {
            try Session.check(requests, configuration: configuration)
        } catch {
            // The check ends with the request that is wrong.
            throw CommandError("\(last?.place ?? InputPlace())\(ExitStatus.sentence(error))", exit: error.code.exit)
        }
        if let failure = last?.failure { throw failure }
    }

    /// The values of the options that a plugin has named.
    static func context(_ settings: Settings, keys: [String], _ environment: [String: String]) -> PluginContext {
        var values: [String: String] = [:]
        for key in keys {
            guard let name = OptionName(rawValue: key) else { continue }
            let all = settings.all(name).map(\.value.description)
            if !all.isEmpty { values[key] = all.joined(separator: "\n") }
        }
        return PluginContext(settings: values, environment: environment)
    }

    /// Throws for an option that the transport does not understand: it would have no effect.
    private static func checkNeeds(
        _ settings: Settings, _ transport: TransportPlugin, _ registry: Registry
    ) throws(CommandError) {
        for option in registry.table.options where !option.isMet(by: transport) {
            guard let setting = settings.last(option.name), setting.value != .flag(false) else { continue }
            let able = registry.transports.filter { option.isMet(by: $0) }.map(\.name)
            let who = able.isEmpty ? "none of this build can" : "\(able.joined(separator: " and ")) can"
            throw CommandError("\(setting.origin) needs a transport that can set it; \(who), \(transport.name) can't")
        }
    }

    private mutating func configure(_ settings: Settings) throws(CommandError) {
        configuration.transportName = transport.name
        configuration.version = Launcher.version
        configuration.directory = settings.text(.directory) ?? configuration.directory
        configuration.startsPaused = settings.isOn(.startPaused)
        onInterrupt = settings.word(.onInterrupt) ?? onInterrupt
        warnings = settings.warnings
        configureFiles(settings)
        configureLimits(settings)
        try configureFields(settings)
        if settings.isOn(.insecure), let setting = settings.last(.insecure) {
            warnings.append(
                "\(setting.origin): no server has to prove who it is; anyone on the way can read and change what comes")
        }
    }

    private mutating func configureFields(_ settings: Settings) throws(CommandError) {
        for setting in settings.all(.header) {
            configuration.fields.append(try HeaderLine.parse(setting.value.description))
        }
        guard let setting = settings.last(.userAgent) else { return }
        guard !configuration.fields.contains(where: { $0.name.lowercased() == "user-agent" }) else {
            throw CommandError("\(setting.origin) and -H User-Agent contradict each other; leave one out")
        }
        do {
            configuration.fields.append(try HeaderLine.parse("User-Agent: \(setting.value)"))
        } catch {
            throw CommandError(setting.origin, error.message)
        }
    }

    private mutating func configureFiles(_ settings: Settings) {
        configuration.onExists = settings.word(.onExists) ?? configuration.onExists
        configuration.resume = settings.word(.resume) ?? configuration.resume
        configuration.durability = settings.word(.durability) ?? configuration.durability
        configuration.refreshes = settings.isOn(.refresh)
        configuration.usesRemoteName = settings.isOn(.remoteName)
        configuration.usesRemoteTime = settings.isOn(.remoteTime)
        configuration.maxSize = settings.integer(.maxSize).map(Int64.init)
    }

    private mutating func configureLimits(_ settings: Settings) {
        configuration.jobs = settings.integer(.jobs) ?? configuration.jobs
        configuration.jobsPerHost = settings.integer(.jobsPerHost)
        configuration.startRate = settings.number(.startRate)
        configuration.limitRate = settings.integer(.limitRate).map(Int64.init)
        configuration.limitRatePerTask = settings.integer(.limitRatePerTask).map(Int64.init)
        configuration.connectTimeout = settings.number(.connectTimeout) ?? configuration.connectTimeout
        configuration.idleTimeout = settings.number(.idleTimeout) ?? configuration.idleTimeout
        configuration.deadline = settings.number(.deadline)
        configuration.retries = settings.integer(.retries) ?? configuration.retries
        configuration.retryMaxTime = settings.number(.retryMaxTime)
        configuration.retryAfterMax = settings.number(.retryAfterMax) ?? configuration.retryAfterMax
        configuration.failsFast = settings.isOn(.failFast)
    }
}
