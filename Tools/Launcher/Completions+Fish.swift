extension Completions {
    /// For a file `whirl.fish` in `~/.config/fish/completions`.
    var fish: String {
        """
        # Completions of whirl for fish: whirl completions fish >~/.config/fish/completions/whirl.fish
        function __whirl_verb
            set -l words (commandline -opc)
            set -e words[1]
            set -l is_value no
            for word in $words
                if test $is_value = yes
                    set is_value no
                    continue
                end
                switch $word
                    case \(flagsWithValues.joined(separator: " "))
                        set is_value yes
                    case \(CommandOption.helpFlags.split(separator: "|").joined(separator: " "))
                        echo help
                        return
                    case '-*'
                    case \(Verb.allCases.map(\.rawValue).joined(separator: " "))
                        echo $word
                        return
                    case '*'
                        echo get
                        return
                end
            end
            echo none
        end
        function __whirl_is
            contains -- (__whirl_verb) $argv
        end
        complete -c whirl -f
        \(verbLines)
        \(optionLines)
        \(operandLines)

        """
    }

    private var verbLines: String {
        Verb.allCases.map {
            "complete -c whirl -n '__whirl_is none' -a \($0.rawValue) -d \(Self.fishQuoted($0.summary))"
        }.joined(separator: "\n")
    }

    private var optionLines: String {
        options.map { option in
            var verbs = verbs(of: option).map(\.rawValue)
            if verbs.contains(Verb.get.rawValue) { verbs.insert("none", at: 0) }
            let letter = option.short.map { " -s \($0)" } ?? ""
            let value =
                switch option.kind.proposal {
                case _ where option.kind == .flag: ""
                case .nothing: " -x"
                case .words(let words): " -x -a \(Self.quoted(words.joined(separator: " ")))"
                case .files: " -r -F"
                case .folders: " -x -a '(__fish_complete_directories)'"
                }
            return
                "complete -c whirl -n '__whirl_is \(verbs.joined(separator: " "))'\(letter) -l \(option.name.rawValue)"
                + "\(value) -d \(Self.fishQuoted(option.help))"
        }.joined(separator: "\n")
    }

    private var operandLines: String {
        Verb.allCases.flatMap { verb in
            let words = words(verb)
            let condition = "complete -c whirl -n '__whirl_is \(verb.rawValue)'"
            return (words.isEmpty ? [] : ["\(condition) -a \(Self.quoted(words.joined(separator: " ")))"])
                + (verb.operands.areFiles ? ["\(condition) -F"] : [])
        }.joined(separator: "\n")
    }

    /// Fish knows two escapes between single quotes.
    private static func fishQuoted(_ text: String) -> String {
        "'" + text.map { "\\'".contains($0) ? "\\\($0)" : String($0) }.joined() + "'"
    }
}

extension CommandOption {
    /// Every spelling of the option after which only words for help come.
    static let helpFlags = "-h|\(OptionName.help.flag)"
}
