import WhirlCore

/// What `whirl plugins` prints.
struct PluginList {
    let registry: Registry
    /// Why frontends can't work here, by name.
    var obstacles: [String: String] = [:]

    /// For people.
    var text: String {
        var lines = ["whirl \(Launcher.version), built with \(Self.toolchain)", "", "transports:"]
        for (index, plugin) in registry.transports.enumerated() {
            lines.append(Self.line(plugin.name, plugin.summary + (index == 0 ? " (default)" : "")))
            lines.append(Self.line("", "can: \(plugin.capabilities.names.joined(separator: ", "))"))
            let lacks = Self.lacks(plugin)
            if !lacks.isEmpty { lines.append(Self.line("", "can't: \(lacks.joined(separator: ", "))")) }
            let own = ownOptions(plugin)
            if !own.isEmpty { lines.append(Self.line("", "options: \(own.joined(separator: ", "))")) }
            lines += Self.versions(plugin.versions())
        }
        lines += absent(.transport) + ["", "frontends:"]
        for plugin in registry.frontends {
            lines.append(Self.line(plugin.name, plugin.summary))
            lines += Self.versions(plugin.versions())
            if let obstacle = obstacles[plugin.name] { lines.append(Self.line("", "not here: \(obstacle)")) }
        }
        lines += absent(.frontend)
        return lines.joined(separator: "\n") + "\n"
    }

    /// For programs: one JSON object in one line.
    var json: String {
        let transports = registry.transports.map { plugin in
            JSONText.object([
                ("name", .string(plugin.name)), ("summary", .string(plugin.summary)),
                ("capabilities", .array(plugin.capabilities.names.map { .string($0) })),
                ("keys", .array(plugin.keys.map { .string($0) })), ("versions", Self.json(plugin.versions())),
            ])
        }
        let frontends = registry.frontends.map { plugin in
            let obstacle = obstacles[plugin.name].map { [("obstacle", JSONText.string($0))] } ?? []
            return JSONText.object(
                [
                    ("name", .string(plugin.name)), ("summary", .string(plugin.summary)),
                    ("keys", .array(plugin.keys.map { .string($0) })), ("versions", Self.json(plugin.versions())),
                ] + obstacle)
        }
        let off = registry.absences.map { absence in
            JSONText.object([
                ("role", .string(absence.role.rawValue)), ("name", .string(absence.name)),
                ("trait", .string(absence.trait)),
            ])
        }
        let list = JSONText.object([
            ("version", .string(Launcher.version)), ("toolchain", .string(Self.toolchain)),
            ("transports", .array(transports)), ("frontends", .array(frontends)), ("off", .array(off)),
        ])
        return "\(list)\n"
    }

    /// The compiler, as far as it tells its own code.
    private static var toolchain: String {
        #if compiler(>=6.4)
        "Swift 6.4 or later"
        #else
        "Swift 6.3"
        #endif
    }

    private static func lacks(_ plugin: TransportPlugin) -> [String] {
        let names = plugin.capabilities.names
        return Capabilities.allNames.filter { !names.contains($0) }
    }

    /// Those that not every transport understands.
    private func ownOptions(_ plugin: TransportPlugin) -> [String] {
        registry.table.options.filter { $0.need != .nothing && $0.isMet(by: plugin) }.map(\.name.flag)
    }

    private func absent(_ role: Registry.Absence.Role) -> [String] {
        registry.absences.filter { $0.role == role }.map {
            Self.line($0.name, "switched off in this build; build with the package trait \($0.trait)")
        }
    }

    private static func line(_ name: String, _ text: String) -> String {
        "  \(name)\(String(repeating: " ", count: max(1, 12 - name.count)))\(text)"
    }

    private static func versions(_ versions: [String: String]) -> [String] {
        guard !versions.isEmpty else { return [] }
        return [line("", versions.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }.joined(separator: ", "))]
    }

    private static func json(_ versions: [String: String]) -> JSONText {
        .object(versions.sorted { $0.key < $1.key }.map { ($0.key, .string($0.value)) })
    }
}
