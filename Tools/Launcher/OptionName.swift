/// The name of an option: on the command line, as a configuration key and, in capitals, as a variable.
enum OptionName: String, CaseIterable, Sendable {
    case input, output, directory
    case onExists = "on-exists"
    case header, transport, jobs
    case jobsPerHost = "jobs-per-host"
    case connectTimeout = "connect-timeout"
    case idleTimeout = "idle-timeout"
    case startPaused = "start-paused"
    case frontend, events, color, quiet, verbose
    case config
    case noConfig = "no-config"
    case json, help, version

    /// As it is typed.
    var flag: String { "--\(rawValue)" }

    /// `WHIRL_` and the name in capitals.
    var variable: String {
        "WHIRL_" + rawValue.uppercased().map { $0 == "-" ? "_" : String($0) }.joined()
    }
}
