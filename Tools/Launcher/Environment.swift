/// Settings from variables.
enum Environment {
    /// What the variables say: `WHIRL_` and an option's name in capitals.
    ///
    /// A repeatable option takes one value a line; an empty variable counts as unset.
    ///
    /// A variable that looks like a misspelt one is an error; others that begin with `WHIRL_` are somebody else's.
    static func layer(_ environment: [String: String], by table: OptionTable) throws(CommandError) -> SettingLayer {
        // Most runs have none, and the names of all options are not to be made for nothing.
        let environment = environment.filter { $0.key.utf8.starts(with: "WHIRL_".utf8) }
        guard !environment.isEmpty else { return SettingLayer() }
        let options = table.options.filter { $0.sources.contains(.environment) }
        let known = Set(options.map(\.name.variable))
        for name in environment.keys.sorted() where !known.contains(name) {
            let word = String(name.dropFirst(6)).lowercased()
            let near = options.filter { Suggestion.distance(Array(word.utf8), Array(key($0).utf8)) <= word.count / 3 }
            guard let option = near.first else { continue }
            throw CommandError("\(quoted(name)) is not a variable of whirl; did you mean \(option.name.variable)?")
        }
        var layer = SettingLayer()
        for option in options {
            guard let text = environment[option.name.variable], !text.isEmpty else { continue }
            layer[option.name] = try settings(option, text)
        }
        return layer
    }

    private static func key(_ option: CommandOption) -> String {
        String(option.name.variable.dropFirst(6)).lowercased()
    }

    private static func settings(_ option: CommandOption, _ text: String) throws(CommandError) -> [Setting] {
        let origin = Origin.variable(option.name.variable)
        var settings: [Setting] = []
        let values = option.isRepeatable ? text.split(separator: "\n").map(String.init) : [text]
        for value in values {
            do {
                settings.append(Setting(value: try option.kind.parse(value), origin: origin))
            } catch {
                throw CommandError(origin, error.message)
            }
        }
        return settings
    }
}
