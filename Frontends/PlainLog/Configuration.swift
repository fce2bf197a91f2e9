import Glibc
import WhirlBoard
public import WhirlCore

extension PlainLog {
    /// How to log.
    public struct Configuration: Sendable {
        /// Where to; it stays open.
        public var descriptor: Int32 = 2
        /// A file to append to instead; it is made where there is none.
        public var path: String?
        /// What stands at the beginning of a line.
        public var time = LogTime.utc
        /// Only failures, and no summary.
        public var isQuiet = false
        /// Every beginning, retry and success, within the budget.
        public var isVerbose = false
        /// Levels have colours.
        public var isColored = false
        /// The summary is plain ASCII.
        public var isASCII = false
        /// Whether files outlive the run: only then the summary says what can be gone on with.
        public var keepsFiles = true

        /// The defaults.
        public init() {}

        /// The descriptor, of the file if there is one.
        func open() throws(TransferError) -> Int32 {
            guard let path else { return descriptor }
            // A FIFO that nobody reads is an error, and no wait.
            let flags = O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOCTTY
            let descriptor = unsafe Glibc.open(path, flags | O_NONBLOCK, 0o644)
            guard descriptor >= 0 else {
                throw TransferError(
                    .usage, "\(clean(path)) can't be written", number: errno, advice: "choose another place")
            }
            _ = fcntl(descriptor, F_SETFL, flags)
            return descriptor
        }
    }
}

extension PlainLog.Configuration {
    /// What the settings and the environment say of a log on the standard error stream, or in the file `log-file`.
    ///
    /// Throws a `usage` error for a value that is none.
    public init(_ context: PluginContext) throws {
        self.init()
        path = context.settings["log-file"]
        isQuiet = context.settings["quiet"] == "true" && path == nil
        keepsFiles = context.settings["discards"] != "true"
        isVerbose = context.settings["verbose"] == "true"
        time = try Self.word("log-time", context) ?? time
        let color: ColorChoice = try Self.word("color", context) ?? .auto
        let isTerminal = path == nil && isatty(descriptor) == 1
        isColored = color.isColored(isTerminal: isTerminal, environment: context.environment)
        isASCII = Environment.isCI(context.environment) || !Environment.isUTF8(context.environment)
    }

    /// The value of a setting that is one of few words.
    private static func word<Word: RawRepresentable<String> & CaseIterable>(
        _ key: String, _ context: PluginContext
    ) throws(TransferError) -> Word? {
        guard let text = context.settings[key] else { return nil }
        if let word = Word(rawValue: text) { return word }
        let words = Word.allCases.map(\.rawValue)
        let list = words.dropLast().joined(separator: ", ") + " or " + (words.last ?? "")
        throw TransferError(.usage, "\(key) is \(list), not \(clean(text))")
    }
}
