#if NCurses
public import WhirlBoard

/// Where and how a dashboard is drawn.
public struct DashboardSettings: Sendable {
    /// The terminal's path.
    public var path = "/dev/tty"

    /// The terminal's type, a name that terminfo knows; nil when the environment has none.
    public var type: String?

    /// Whether colours are used, where the terminal has them.
    public var usesColor = true

    /// Gets the summary.
    ///
    /// What else is written to it while the screen is up is held until the end, if it is a terminal.
    public var standardError: Int32 = 2

    /// Whether files outlive the run: only then the summary says what can be gone on with.
    public var keepsFiles = true

    /// Whether the terminal is far away: it gets fewer frames, unless it takes them quickly.
    public var isRemote = false

    /// How often it is drawn while something moves, from 1 to 30; nil: ten times, or four when it is far away.
    public var framesPerSecond: Int?

    /// Seconds before the terminal is taken: a run that has ended by then leaves no trace on it but the summary.
    ///
    /// With what a process needs to begin, something is to be seen within a tenth of a second.
    public var delay = 0.07

    var pace: Pace { Pace(isRemote: isRemote, framesPerSecond: framesPerSecond) }

    /// Settings for the terminal of this process, whose type is `TERM`.
    public init(environment: [String: String], color: ColorChoice = .auto) {
        type = environment["TERM"]
        isRemote = !(environment["SSH_CONNECTION"] ?? "").isEmpty
        usesColor = color.isColored(isTerminal: true, environment: environment)
    }
}
#endif
