extension Completions {
    /// Needs nothing but bash itself.
    var bash: String {
        """
        # Completions of whirl for bash: source <(whirl completions bash)
        _whirl() {
            local current=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} verb='' operands=0 index
            # Bash takes --name=value for three words.
            if [[ $current == = ]]; then
                current=''
            elif [[ $before == = ]]; then
                before=${COMP_WORDS[COMP_CWORD - 2]}
            fi
            COMPREPLY=()
            case $before in
        \(values)
            esac
            for ((index = 1; index < COMP_CWORD; index++)); do
                case ${COMP_WORDS[index]} in
                    \(flagsWithValues.joined(separator: "|")))
                        [[ ${COMP_WORDS[index + 1]} == = ]] && ((index++))
                        ((index++)) ;;
                    \(CommandOption.helpFlags)) verb=help ;;
                    -*) ;;
                    *)
                        ((operands++))
                        if [[ -z $verb ]]; then
                            case ${COMP_WORDS[index]} in
                                \(Verb.allCases.map(\.rawValue).joined(separator: "|")))
                                    verb=${COMP_WORDS[index]} operands=0 ;;
                                *) verb='get' ;;
                            esac
                        fi ;;
                esac
            done
            if [[ $current == -* ]]; then
                case $verb in
        \(flagLists)
                esac
                return
            fi
            case $verb in
                '') \(Self.bashWords(Verb.allCases.map(\.rawValue))) ;;
        \(operandLists)
            esac
        }
        complete -F _whirl whirl

        """
    }

    private var values: String {
        options.filter { $0.kind != .flag }.map { option in
            let flags = flags(option).joined(separator: "|")
            let action =
                switch option.kind.proposal {
                case .nothing: ""
                case .words(let words): Self.bashWords(words) + "; "
                case .files: Self.bashFiles("-f") + "; "
                case .folders: Self.bashFiles("-d") + "; "
                }
            return "        \(flags)) \(action)return ;;"
        }.joined(separator: "\n")
    }

    private var flagLists: String {
        Verb.allCases.map { verb in
            let name = verb == .get ? "'' | get" : verb.rawValue
            return
                "            \(name)) \(Self.bashWords(options.filter { verbs(of: $0).contains(verb) }.flatMap(flags))) ;;"
        }.joined(separator: "\n")
    }

    private var operandLists: String {
        Verb.allCases.compactMap { verb in
            let operands = verb.operands
            let (words, files) = (Self.bashWords(words(verb)), Self.bashFiles("-f"))
            switch (self.words(verb).isEmpty, operands.areFiles) {
            case (true, false): return nil
            case (true, true): return "        \(verb.rawValue)) \(files) ;;"
            case (false, false): return "        \(verb.rawValue)) \(words) ;;"
            case (false, true):
                return "        \(verb.rawValue)) if ((operands)); then \(files); else \(words); fi ;;"
            }
        }.joined(separator: "\n")
    }

    private static func bashWords(_ words: [String]) -> String {
        "mapfile -t COMPREPLY < <(compgen -W \(quoted(words.joined(separator: " "))) -- \"$current\")"
    }

    private static func bashFiles(_ kind: String) -> String {
        "compopt -o filenames 2>/dev/null; mapfile -t COMPREPLY < <(compgen \(kind) -- \"$current\")"
    }
}
