extension Completions {
    /// For a file `_whirl` in the `fpath`, or to be sourced.
    var zsh: String {
        """
        #compdef whirl
        # Completions of whirl for zsh: whirl completions zsh >"${fpath[1]}/_whirl"
        _whirl() {
            local verb='' word index
            local -a specs
            for ((index = 2; index < CURRENT; index++)); do
                case ${words[index]} in
                    (\(flagsWithValues.joined(separator: "|"))) ((index++)) ;;
                    (\(CommandOption.helpFlags)) verb=help; break ;;
                    (-*) ;;
                    (\(Verb.allCases.map(\.rawValue).joined(separator: "|"))) verb=${words[index]}; break ;;
                    (*) verb=get; break ;;
                esac
            done
        \(specs)
            case $verb in
                ('') specs+=('1:verb:((\(verbDescriptions)))' '*:URL:( )') ;;
        \(operands)
                (*) specs+=('*:URL:( )') ;;
            esac
            _arguments -s -S $specs
        }
        if [[ ${funcstack[1]} == _whirl ]]; then _whirl "$@"; else compdef _whirl whirl; fi

        """
    }

    private var specs: String {
        options.map { option in
            var names = verbs(of: option).map(\.rawValue)
            if names.contains(Verb.get.rawValue) { names.insert("''", at: 0) }
            let condition =
                verbs(of: option).count == Verb.allCases.count
                ? "" : "[[ $verb == (\(names.joined(separator: "|"))) ]] && "
            return "    \(condition)specs+=(\(spec(option)))"
        }.joined(separator: "\n")
    }

    /// Both spellings, neither of which is proposed when the other is there.
    private func spec(_ option: CommandOption) -> String {
        let isFlag = option.kind == .flag
        let long = option.name.flag + (isFlag ? "" : "=")
        let text = "[\(Self.escaped(option.help, "[]:"))]" + (isFlag ? "" : value(option))
        guard let short = option.short else {
            return Self.quoted((option.isRepeatable ? "*" : "") + long + text)
        }
        let letter = "-\(short)" + (isFlag ? "" : "+")
        let before = option.isRepeatable ? "'*'" : "'(-\(short) \(option.name.flag))'"
        return "\(before){\(letter),\(long)}\(Self.quoted(text))"
    }

    private func value(_ option: CommandOption) -> String {
        let name = Self.escaped(option.placeholder ?? "VALUE", ":")
        return switch option.kind.proposal {
        case .nothing: ":\(name): "
        case .words(let words): ":\(name):(\(words.joined(separator: " ")))"
        case .files: ":\(name):_files"
        case .folders: ":\(name):_files -/"
        }
    }

    private var verbDescriptions: String {
        Verb.allCases.map { "\($0.rawValue)\\:\"\(Self.escaped($0.summary, ":"))\"" }.joined(separator: " ")
    }

    private var operands: String {
        Verb.allCases.compactMap { verb in
            let (words, operands) = (words(verb), verb.operands)
            guard !words.isEmpty || operands.areFiles else { return nil }
            // The verb itself is the first.
            let first = words.isEmpty ? "" : " '2:word:(\(words.joined(separator: " ")))'"
            let rest = operands.areFiles ? "'*:file:_files'" : "'*:URL:( )'"
            let isHelp = verb == .help ? " '*:word:(\(words.joined(separator: " ")))'" : nil
            return "        (\(verb.rawValue)) specs+=(\(isHelp ?? "'1: : '\(first) \(rest)")) ;;"
        }.joined(separator: "\n")
    }

    private static func escaped(_ text: String, _ letters: String) -> String {
        text.map { letters.contains($0) || $0 == "\\" ? "\\\($0)" : String($0) }.joined()
    }
}
