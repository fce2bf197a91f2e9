import WhirlCore
#if Curl
import WhirlCurl
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

    /// What this build has.
    static var wired: Registry {
        Registry(transports: curl + urlSession, frontends: nCurses + [], absences: absent)
    }

    private static let curl: [TransportPlugin] = [CurlTransport.plugin]
    private static let urlSession: [TransportPlugin] = [.urlSession]
    private static let nCurses: [FrontendPlugin] = []
    private static let absent: [Absence] = []
}

extension Registry {
    /// Leaves a full-screen display in a hurry.
    static func giveTerminalBack() {}
}
