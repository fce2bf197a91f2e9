import WhirlCore

@testable import WhirlLauncher

/// A registry of backends that can't be made: names are all that is tested.
enum Samples {
    static let registry = Registry(
        transports: [transport("fast"), transport("portable")],
        frontends: [frontend(Registry.dashboard), frontend(Registry.log), frontend(Registry.stream)],
        absences: [
            Registry.Absence(role: .transport, name: "exotic", trait: "Exotic"),
            Registry.Absence(role: .frontend, name: "window", trait: "Window"),
        ])

    static let table = registry.table

    static func transport(_ name: String, keys: [String] = []) -> TransportPlugin {
        TransportPlugin(name: name, summary: "moves bytes", capabilities: [.pause, .timings], keys: keys) { _ in
            throw TransferError(.unsupported, "not made")
        }
    }

    static func frontend(_ name: String) -> FrontendPlugin {
        FrontendPlugin(name: name, summary: "shows \"all\"", keys: ["color", "quiet"]) { _ in
            throw TransferError(.usage, "not here")
        }
    }

    static func arguments(_ words: String...) throws(CommandError) -> Arguments {
        try ArgumentParser.parse(words, by: table)
    }

    static func settings(
        _ words: [String], environment: [String: String] = [:]
    ) throws(CommandError) -> Settings {
        try Launcher.settings(ArgumentParser.parse(words, by: table), environment: environment, table: table)
    }

    /// The sentence of the error that `body` throws.
    static func complaint<Value>(_ body: () throws(CommandError) -> Value) -> String? {
        do {
            _ = try body()
            return nil
        } catch {
            return error.message.text
        }
    }
}
