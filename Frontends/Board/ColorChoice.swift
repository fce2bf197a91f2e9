/// Whether to colour: what was asked for, else what the environment says, else what the terminal can do.
public enum ColorChoice: String, CaseIterable, Sendable {
    case auto, always, never

    /// The decision for one stream.
    ///
    /// In order: the choice, `NO_COLOR` (when not empty), `CLICOLOR_FORCE` and `FORCE_COLOR` (neither empty nor `0`),
    /// `TERM=dumb`, `CI`, whether the stream is a terminal.
    public func isColored(isTerminal: Bool, environment: [String: String]) -> Bool {
        switch self {
        case .always: return true
        case .never: return false
        case .auto: break
        }
        if !(environment["NO_COLOR"] ?? "").isEmpty { return false }
        for name in ["CLICOLOR_FORCE", "FORCE_COLOR"] where !["", "0"].contains(environment[name] ?? "") { return true }
        if environment["TERM"] == "dumb" || Environment.isCI(environment) { return false }
        return isTerminal
    }
}

/// What the environment says about who looks at the output.
public enum Environment {
    /// A build server: `CI` is set, and neither empty, `false` nor `0`.
    public static func isCI(_ environment: [String: String]) -> Bool {
        !["", "false", "0"].contains(environment["CI"] ?? "")
    }

    /// A person who wants lines without animation, such as for a screen reader: `ACCESSIBLE` is set likewise.
    public static func isAccessible(_ environment: [String: String]) -> Bool {
        !["", "false", "0"].contains(environment["ACCESSIBLE"] ?? "")
    }

    /// The locale's character set is UTF-8.
    public static func isUTF8(_ environment: [String: String]) -> Bool {
        let names = ["LC_ALL", "LC_CTYPE", "LANG"]
        let locale = names.lazy.compactMap { environment[$0] }.first { !$0.isEmpty } ?? ""
        let set = locale.lowercased().split(separator: ".", maxSplits: 1).dropFirst().first ?? ""
        return set.hasPrefix("utf-8") || set.hasPrefix("utf8")
    }
}
