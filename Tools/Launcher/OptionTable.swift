/// The one description of every option: parsing, help, variables and configuration keys come from it.
struct OptionTable: Sendable {
    let options: [CommandOption]

    /// The table for a build with these backends; the first transport is the default.
    init(transports: [String], frontends: [String]) {
        options =
            Self.files + Self.limits + Self.network(transports) + Self.display(frontends)
            + Self.reports + Self.other
    }

    /// The option of that name; every name has one.
    subscript(_ name: OptionName) -> CommandOption {
        guard let option = options.first(where: { $0.name == name }) else {
            preconditionFailure("the option \(name.rawValue) is not in the table")
        }
        return option
    }

    /// The option with that long name, without the dashes.
    func option(long: String) -> CommandOption? { options.first { $0.name.rawValue == long } }

    /// The option with that letter.
    func option(short: Character) -> CommandOption? { options.first { $0.short == short } }

    /// What holds when nobody says otherwise.
    var presets: SettingLayer {
        var layer = SettingLayer()
        for option in options {
            guard let preset = option.preset else { continue }
            guard let value = try? option.kind.parse(preset) else {
                preconditionFailure("the default of \(option.name.flag) is none of its values")
            }
            layer[option.name] = [Setting(value: value, origin: .preset)]
        }
        return layer
    }
}
