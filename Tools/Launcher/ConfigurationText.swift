import WhirlBoard

/// The settings in force as YAML, which `--config` reads back.
struct ConfigurationText {
    let settings: Settings
    let table: OptionTable
    /// Whether it also says where each value came from, and what it overrode.
    let isExplained: Bool

    var text: String {
        var lines: [String] = []
        for group in CommandOption.Group.allCases {
            let rows = table.options.filter { $0.group == group && $0.sources.contains(.configuration) }.flatMap(rows)
            if !rows.isEmpty { lines += (lines.isEmpty ? [] : [""]) + ["# \(group.title)"] + rows }
        }
        return lines.map { "\($0)\n" }.joined()
    }

    private func rows(_ option: CommandOption) -> [String] {
        let all = settings.all(option.name)
        guard let first = all.first else { return [] }
        let key = option.name.rawValue
        if all.contains(where: { Secrecy.mayHide(in: $0.value, of: option.kind) }) {
            let places = all.map(\.origin.place).joined(separator: ", ")
            return ["# \(key): not shown, as it may be a secret; it comes from \(clean(places))"]
        }
        guard option.isRepeatable else {
            return ["\(key): \(YAMLText.value(first.value))" + comment(first, option)]
        }
        return ["\(key):"]
            + all.enumerated().map { index, setting in
                "  - \(YAMLText.value(setting.value))" + comment(setting, option, isFirst: index == 0)
            }
    }

    private func comment(_ setting: Setting, _ option: CommandOption, isFirst: Bool = true) -> String {
        guard isExplained else { return "" }
        let weaker = settings.layers.compactMap { $0[option.name] }.dropFirst()
        let overridden = weaker.map { settings in
            let values = settings.map { setting in
                Secrecy.mayHide(in: setting.value, of: option.kind) ? "(not shown)" : YAMLText.value(setting.value)
            }
            return "\(settings.first?.origin.place ?? ""): \(values.joined(separator: ", "))"
        }
        let over = overridden.isEmpty || !isFirst ? "" : "; over \(overridden.joined(separator: "; "))"
        return "  # \(clean(setting.origin.place))\(clean(over))"
    }
}
