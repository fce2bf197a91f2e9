/// A value and where it came from.
struct Setting: Equatable, Sendable {
    let value: OptionValue
    let origin: Origin
}

/// What one source has to say.
typealias SettingLayer = [OptionName: [Setting]]

/// The settings in force: the strongest layer that knows an option decides it whole.
struct Settings: Sendable {
    /// Strongest first: flags, environment, configuration files, defaults.
    var layers: [SettingLayer]
    /// The files that were looked for, strongest first.
    var sources: [ConfigurationFiles.Source] = []
    /// What people are to be warned of.
    var warnings: [Sentence] = []

    /// The values of an option: several of a repeatable one, else at most one.
    func all(_ name: OptionName) -> [Setting] {
        layers.lazy.compactMap { $0[name] }.first ?? []
    }

    /// The value in force.
    func last(_ name: OptionName) -> Setting? { all(name).last }

    /// Whether a flag is on.
    func isOn(_ name: OptionName) -> Bool { last(name)?.value == .flag(true) }

    func integer(_ name: OptionName) -> Int? {
        guard case .integer(let number) = last(name)?.value else { return nil }
        return number
    }

    func number(_ name: OptionName) -> Double? {
        guard case .number(let number) = last(name)?.value else { return nil }
        return number
    }

    func text(_ name: OptionName) -> String? {
        guard case .text(let text) = last(name)?.value else { return nil }
        return text
    }

    /// The same with the secrets that files and commands have, which are read now.
    func revealed(by table: OptionTable) throws(CommandError) -> Settings {
        var settings = self
        // Headers first: one that says who to be silences a weaker --user, and no command is run for that then.
        let options = table.options.filter(\.kind.takesSource)
        for option in options.filter({ $0.name == .header }) + options.filter({ $0.name != .header }) {
            if option.name == .user, settings.hasAuthorization, settings.isStronger(.header, than: .user) {
                for index in settings.layers.indices { settings.layers[index][.user] = nil }
            }
            guard let place = settings.layers.firstIndex(where: { $0[option.name] != nil }) else { continue }
            var open: [Setting] = []
            for setting in settings.all(option.name) { open.append(try Self.revealed(setting, option.kind)) }
            settings.layers[place][option.name] = open
        }
        return settings
    }

    /// Whether a header for every request says who to be.
    var hasAuthorization: Bool {
        all(.header).contains { $0.value.description.prefix { $0 != ":" }.lowercased() == "authorization" }
    }

    /// Whether a stronger source decides the first of two options.
    func isStronger(_ first: OptionName, than second: OptionName) -> Bool {
        let places = [first, second].map { name in layers.firstIndex { $0[name] != nil } ?? .max }
        return places[0] < places[1]
    }

    private static func revealed(_ setting: Setting, _ kind: ValueKind) throws(CommandError) -> Setting {
        guard case .secret(let source) = setting.value else { return setting }
        do {
            return Setting(value: try kind.parse(try source.read()), origin: setting.origin)
        } catch {
            throw CommandError("\(setting.origin): \(error.message)", exit: error.exit)
        }
    }

    /// Of two flags that exclude each other the stronger one holds.
    ///
    /// Throws when one source asks for both.
    mutating func settle(_ first: OptionName, _ second: OptionName) throws(CommandError) {
        guard isOn(first), isOn(second), let one = last(first), let other = last(second) else { return }
        guard let place = layers.firstIndex(where: { $0[first] != nil }),
            let otherPlace = layers.firstIndex(where: { $0[second] != nil }), place != otherPlace
        else {
            throw CommandError("\(one.origin) and \(other.origin) contradict each other; leave one out")
        }
        let weaker = place < otherPlace ? second : first
        for index in layers.indices where index >= min(place, otherPlace) { layers[index][weaker] = nil }
    }

    /// The value of a choice.
    func word<Word: RawRepresentable<String>>(_ name: OptionName) -> Word? { text(name).flatMap(Word.init(rawValue:)) }
}
