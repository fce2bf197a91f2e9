import WhirlCore
import WhirlJSONLines
import WhirlPlainLog

#if Curl
import WhirlCurl
#endif
#if NCurses
import WhirlNCurses
#endif
#if URLSession
import WhirlURLSession
#endif

/// The only place that names backends.
extension Registry {
    /// The frontend that fills a terminal.
    static let dashboard = "ncurses"
    /// The frontend that writes lines for people.
    static let log = "log"
    /// The frontend that writes JSON Lines.
    static let stream = "jsonl"
    /// What that one calls the setting for where it writes; absent: to the standard output.
    static let streamTarget = "events"
    /// What it calls the setting for what people call that; absent: as it is.
    static let streamName = "events-name"

    /// What this build has.
    static let wired = Registry(
        transports: curl + urlSession, frontends: nCurses + [PlainLog.plugin, JSONLines.plugin],
        absences: [
            curl.isEmpty ? Absence(role: .transport, name: "curl", trait: "Curl") : nil,
            urlSession.isEmpty ? Absence(role: .transport, name: "urlsession", trait: "URLSession") : nil,
            nCurses.isEmpty ? Absence(role: .frontend, name: dashboard, trait: "NCurses") : nil,
        ].compactMap(\.self))

    /// What the log calls the setting for the file it writes to; absent: to the standard error.
    static let logTarget = "log-file"

    /// Why frontends of this build can't work here, by name.
    static func obstacles(_ environment: [String: String]) -> [String: String] {
        #if NCurses
        Dashboard.obstacle(PluginContext(environment: environment)).map { [dashboard: $0] } ?? [:]
        #else
        [:]
        #endif
    }

    /// Opens the place that commands come from, as `--control` names it.
    static func commands(from place: String) throws(TransferError) -> any CommandSource {
        try ControlPort(ControlPlace(place))
    }

    /// Leaves a full-screen display in a hurry.
    static func giveTerminalBack() {
        #if NCurses
        Dashboard.abandonTerminal()
        #endif
    }

    #if Curl
    private static let curl = [TransportPlugin.curl]
    #else
    private static let curl: [TransportPlugin] = []
    #endif

    #if URLSession
    private static let urlSession = [TransportPlugin.urlSession]
    #else
    private static let urlSession: [TransportPlugin] = []
    #endif

    #if NCurses
    private static let nCurses = [Dashboard.plugin]
    #else
    private static let nCurses: [FrontendPlugin] = []
    #endif
}

extension ControlPort: CommandSource {}
