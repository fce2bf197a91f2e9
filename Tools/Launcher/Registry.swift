import WhirlCore

/// The transports and frontends of this build.
struct Registry: Sendable {
    /// A backend that a trait has switched off.
    struct Absence: Equatable, Sendable {
        enum Role: String, Sendable {
            case transport, frontend
        }
        let role: Role
        let name: String
        /// The package trait that would bring it.
        let trait: String
    }

    /// The first is the default.
    let transports: [TransportPlugin]
    let frontends: [FrontendPlugin]
    let absences: [Absence]

    /// A registry; two of one role with one name are a mistake in the program.
    init(transports: [TransportPlugin], frontends: [FrontendPlugin], absences: [Absence] = []) {
        precondition(Set(transports.map(\.name)).count == transports.count, "two transports have one name")
        precondition(Set(frontends.map(\.name)).count == frontends.count, "two frontends have one name")
        self.transports = transports
        self.frontends = frontends
        self.absences = absences
    }

    /// The table of options for this build.
    var table: OptionTable {
        OptionTable(transports: transports.map(\.name), frontends: frontends.map(\.name))
    }

    /// The transport of that name.
    func transport(_ name: String) throws(CommandError) -> TransportPlugin {
        guard let plugin = transports.first(where: { $0.name == name }) else {
            throw unknown(.transport, name, among: transports.map(\.name))
        }
        return plugin
    }

    /// The frontend of that name.
    func frontend(_ name: String) throws(CommandError) -> FrontendPlugin {
        guard let plugin = frontends.first(where: { $0.name == name }) else {
            throw unknown(.frontend, name, among: FrontendChoice.words + frontends.map(\.name))
        }
        return plugin
    }

    private func unknown(_ role: Absence.Role, _ name: String, among known: [String]) -> CommandError {
        let off = absences.filter { $0.role == role }
        if let absence = off.first(where: { $0.name == name }) {
            return CommandError(
                "the \(role.rawValue) \(name) is switched off in this build (trait \(absence.trait)); "
                    + "there is \(Self.list(known))")
        }
        let hint = Suggestion.phrase(for: name, among: known)
        let rest = off.isEmpty ? "" : ", switched off in this build: \(off.map(\.name).joined(separator: ", "))"
        return CommandError("\(quoted(name)) is not a \(role.rawValue); there is \(Self.list(known))\(rest)\(hint)")
    }

    private static func list(_ names: [String]) -> String { names.isEmpty ? "none" : names.joined(separator: ", ") }
}
