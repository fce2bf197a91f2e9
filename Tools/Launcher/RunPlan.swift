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
    /// Where commands come from (`--control`).
    private(set) var control: Setting?
    /// The file with the streams of earlier runs (`--journal`).
    private(set) var journal: Setting?
    /// What writes streams.
    private let stream: FrontendPlugin?
    /// Where the wish came from that nothing starts by itself.
    private var startsPaused: Setting?
    /// What the first INT does.
    var onInterrupt = OnInterrupt.quit
    /// What let the requests pass whose admissions the inputs keep; nil: none are kept.
    private(set) var requestCheck: RequestCheck?
    /// What people are to be warned of.
    var warnings: [Sentence] = []

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
        try Self.checkDescriptors(settings, inputs)
        context = Self.context(settings, keys: transport.keys, environment)
        stream = try? registry.frontend(Registry.stream)
        frontends = try FrontendPlan(
            settings, registry: registry, environment: environment, readsStandardInput: inputs.readsStandardInput)
        self.inputs = inputs
        warnings = inputs.warnings
        try configure(settings)
    }

    /// Throws when a request makes no sense or two would write to one path.
    ///
    /// What it finds out is kept for the run, unless the requests are many.
    mutating func check() throws(CommandError) {
        var check = RequestCheck(configuration)
        var admissions: [RequestCheck.Admission] = []
        for item in inputs.items {
            if let failure = item.failure { throw failure }
            do {
                let admission = try check.admit(item.request)
                if inputs.count <= Inputs.mostKept { admissions.append(admission) }
            } catch {
                let url = item.request.url
                if item.place.list == nil, FileBytes.isRegular(url) {
                    throw CommandError(
                        "\(url) is a file, not a URL; to fetch the URLs that stand in it write -i \(url)")
                }
                throw CommandError("\(item.place)\(ExitStatus.sentence(error))", exit: error.code.exit)
            }
        }
        // A list that is read once more may have become another one.
        guard inputs.count <= Inputs.mostKept else { return }
        inputs.admissions = admissions
        requestCheck = check
    }

    /// Throws for a descriptor that is not there, or that a list has.
    private static func checkDescriptors(_ settings: Settings, _ inputs: Inputs) throws(CommandError) {
        for name in [OptionName.control, .events] {
            guard let setting = settings.last(name), case .text(let text) = setting.value, text.hasPrefix("fd:"),
                let number = Int32(text.dropFirst(3)), number > STDERR_FILENO, !Descriptors.isInherited(number)
            else { continue }
            throw CommandError(setting.origin, "\(text) is not open; whoever starts whirl has to open it")
        }
        guard let control = settings.last(.control) else { return }
        guard control.value != .text("-") else {
            throw CommandError(control.origin, "'-' is no file; write fd:0 for stdin")
        }
        if control.value == .text("fd:0"), inputs.readsStandardInput {
            throw CommandError(
                "\(control.origin) fd:0 and a list from stdin can't both have it; use another descriptor")
        }
    }

    /// Throws when nobody could resume what is not to start by itself.
    func checkPause(_ frontends: FrontendPlan) throws(CommandError) {
        guard let startsPaused, control == nil, !frontends.hasKeys else { return }
        throw CommandError(
            startsPaused.origin, "nothing here could resume the transfers; use it with -f ncurses or --control")
    }

    /// Opens where commands come from; nil when none are wanted.
    func commands() throws(CommandError) -> (any CommandSource)? {
        guard let control else { return nil }
        do {
            return try Registry.commands(from: control.value.description)
        } catch {
            throw CommandError(control.origin, ExitStatus.sentence(error))
        }
    }

    /// Opens and reads the journal; nil when none is wanted.
    func openJournal() throws(CommandError) -> Journal? {
        guard let setting = journal else { return nil }
        let journal: Journal
        do {
            journal = try Journal(setting.value.description)
        } catch {
            throw CommandError("\(setting.origin): \(error.message)", exit: error.exit)
        }
        if let events = frontends.eventsPath, journal.isSame(as: events) {
            throw CommandError(
                "\(setting.origin) and --events can't both have \(events); a journal holds the stream too")
        }
        return journal
    }

    /// What adds the run's stream to the journal.
    func writer(of journal: Journal) throws(CommandError) -> any Frontend {
        let settings = [
            Registry.streamTarget: "fd:\(journal.descriptor)", Registry.streamName: journal.path,
            "progress-interval": "off",
        ]
        guard let stream else { throw CommandError("this build has no streams; leave --journal out") }
        do {
            return try stream.make(PluginContext(settings: settings))
        } catch {
            throw CommandError(ExitStatus.sentence(error), exit: ExitStatus.of(error))
        }
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
        control = settings.last(.control)
        journal = settings.last(.journal)
        if settings.isOn(.startPaused) { startsPaused = settings.last(.startPaused) }
        configuration.startsPaused = startsPaused != nil
        try checkPause(frontends)
        onInterrupt = settings.word(.onInterrupt) ?? onInterrupt
        warnings += settings.warnings
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
