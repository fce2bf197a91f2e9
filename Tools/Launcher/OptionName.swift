/// The name of an option: on the command line, as a configuration key and, in capitals, as a variable.
enum OptionName: String, CaseIterable, Sendable {
    case input
    case inputFormat = "input-format"
    case baseURL = "base-url"
    case shard
    case dryRun = "dry-run"
    case output, directory, checksum
    case onExists = "on-exists"
    case remoteName = "remote-name"
    case remoteTime = "remote-time"
    case refresh, resume, durability
    case maxSize = "max-size"
    case header, transport, user, netrc
    case netrcFile = "netrc-file"
    case proxy, cacert, insecure
    case userAgent = "user-agent"
    case http1 = "http1.1"
    case resolve, jobs
    case jobsPerHost = "jobs-per-host"
    case startRate = "start-rate"
    case limitRate = "limit-rate"
    case limitRatePerTask = "limit-rate-per-task"
    case connectTimeout = "connect-timeout"
    case idleTimeout = "idle-timeout"
    case deadline, retries
    case retryMaxTime = "retry-max-time"
    case retryAfterMax = "retry-after-max"
    case failFast = "fail-fast"
    case onInterrupt = "on-interrupt"
    case startPaused = "start-paused"
    case control, journal
    case frontend, events
    case progressInterval = "progress-interval"
    case logFile = "log-file"
    case logTime = "log-time"
    case color, fps, quiet, verbose
    case speed, summary, har, metrics
    case config
    case noConfig = "no-config"
    case json, explain, help, version

    /// As it is typed.
    var flag: String { "--\(rawValue)" }

    /// `WHIRL_` and the name in capitals, with `_` for what a shell allows in no variable.
    var variable: String {
        "WHIRL_" + rawValue.uppercased().map { $0 == "-" || $0 == "." ? "_" : String($0) }.joined()
    }
}
