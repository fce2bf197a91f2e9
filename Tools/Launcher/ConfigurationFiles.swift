import Glibc

/// The configuration files that count, and what they say.
struct ConfigurationFiles {
    /// One of them.
    struct Source: Equatable, Sendable {
        let path: String
        let role: ConfigurationFile.Role
        /// Whether it was there to be read.
        fileprivate(set) var isThere = true
    }

    /// The name of a project's file, in the current folder.
    static let projectName = "whirl.yaml"

    /// Strongest first: those that were named, the last one before the first, the project's, the user's.
    private(set) var sources: [Source] = []
    /// What they say, in the same order.
    private(set) var layers: [SettingLayer] = []
    /// What their owner should know.
    private(set) var warnings: [Sentence] = []

    /// Reads them.
    ///
    /// - Parameters:
    ///   - named: Those that must be there.
    ///   - isAlone: Whether they are all that is to be read.
    ///   - folder: Where the project's file lies.
    init(
        named: [String], isAlone: Bool, environment: [String: String], folder: String, table: OptionTable
    ) throws(CommandError) {
        var found: [Source] = named.reversed().map { Source(path: $0, role: .named) }
        if !isAlone {
            let project = folder == "." ? Self.projectName : "\(folder)/\(Self.projectName)"
            // Who names a project's file takes it for their own.
            if !named.contains(where: { Self.isSame($0, project) }) {
                found.append(Source(path: project, role: .project))
            }
            if let path = Self.userPath(environment), !named.contains(where: { Self.isSame($0, path) }) {
                found.append(Source(path: path, role: .user))
            }
        }
        for source in found { try add(source, environment, table) }
    }

    private mutating func add(
        _ source: Source, _ environment: [String: String], _ table: OptionTable
    ) throws(CommandError) {
        var source = source
        var layer: SettingLayer = [:]
        if source.role == .named || Self.isThere(source.path) {
            let file = try ConfigurationFile(
                at: source.path, as: source.role, by: table, home: environment["HOME"])
            if let fault = file.faults.first { throw fault.error }
            layer = file.layer
            warnings += file.warnings
        } else {
            source.isThere = false
        }
        sources.append(source)
        layers.append(layer)
    }

    /// The user's file; nil when there is no home for it.
    static func userPath(_ environment: [String: String]) -> String? {
        // Relative folders are to be ignored: https://specifications.freedesktop.org/basedir-spec/latest/
        if let folder = environment["XDG_CONFIG_HOME"], folder.hasPrefix("/") { return folder + "/whirl/config.yaml" }
        guard let home = environment["HOME"], home.hasPrefix("/") else { return nil }
        return home + "/.config/whirl/config.yaml"
    }

    /// False only when there is nothing: what can't be read is told.
    static func isThere(_ path: String) -> Bool {
        var status = stat()
        return unsafe stat(path, &status) == 0 || errno != ENOENT && errno != ENOTDIR
    }

    private static func isSame(_ first: String, _ second: String) -> Bool {
        var (one, other) = (stat(), stat())
        guard unsafe stat(first, &one) == 0 else { return false }
        guard unsafe stat(second, &other) == 0 else { return false }
        return one.st_dev == other.st_dev && one.st_ino == other.st_ino
    }
}
