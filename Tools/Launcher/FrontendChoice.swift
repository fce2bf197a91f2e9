/// Which frontend suits where the command runs.
enum FrontendChoice {
    static let automatic = "auto"
    static let none = "none"
    /// The words that are no plugins.
    static let words = [automatic, none]

    /// What the choice depends on.
    struct Surroundings: Equatable, Sendable {
        /// Whether the standard error is a terminal.
        var isTerminal: Bool
        /// The variables `TERM`, `CI` and `ACCESSIBLE`, nil where unset.
        var term: String?
        var ci: String?
        var accessible: String?
        /// Whether there is a terminal of our own that we are in the foreground of.
        var isUsable: Bool
    }

    /// Whether a full-screen display suits: on a usable terminal, outside CI, unless somebody needs plain lines.
    static func suitsDashboard(_ surroundings: Surroundings) -> Bool {
        guard surroundings.isTerminal, surroundings.isUsable else { return false }
        guard let term = surroundings.term, !term.isEmpty, term != "dumb" else { return false }
        return !isSet(surroundings.ci) && !isSet(surroundings.accessible)
    }

    /// Set, and not to a no.
    private static func isSet(_ variable: String?) -> Bool {
        guard let variable else { return false }
        return !["", "0", "false", "no"].contains(variable.lowercased())
    }
}
