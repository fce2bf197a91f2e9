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
        context = Self.context(settings, keys: transport.keys, environment)
        frontends = try FrontendPlan(settings, registry: registry, environment: environment, inputs: inputs)
        self.inputs = inputs
        try configure(settings)
    }

    /// Throws when a request makes no sense or two would write to one path.
    func check() throws(CommandError) {
        var index = -1
        let requests = AnyIterator {
            index += 1
            return index < inputs.requests.count ? inputs.requests[index] : nil
        }
        do {
            try Session.check(requests, configuration: configuration)
        } catch {
            // The check ends with the request that is wrong.
            throw CommandError(inputs.place(of: index) + error.message, exit: error.code.exit)
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

    private mutating func configure(_ settings: Settings) throws(CommandError) {
        configuration.transportName = transport.name
        configuration.version = Launcher.version
        configuration.jobs = settings.integer(.jobs) ?? configuration.jobs
        configuration.jobsPerHost = settings.integer(.jobsPerHost)
        configuration.directory = settings.text(.directory) ?? configuration.directory
        configuration.connectTimeout = settings.number(.connectTimeout) ?? configuration.connectTimeout
        configuration.idleTimeout = settings.number(.idleTimeout) ?? configuration.idleTimeout
        configuration.startsPaused = settings.isOn(.startPaused)
        if let word = settings.text(.onExists), let onExists = SessionConfiguration.OnExists(rawValue: word) {
            configuration.onExists = onExists
        }
        for setting in settings.all(.header) {
            configuration.fields.append(try HeaderLine.parse(setting.value.description))
        }
    }
}
