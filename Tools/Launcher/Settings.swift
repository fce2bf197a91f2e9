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
    let layers: [SettingLayer]

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

    /// The value of a choice.
    func word<Word: RawRepresentable<String>>(_ name: OptionName) -> Word? { text(name).flatMap(Word.init(rawValue:)) }
}
