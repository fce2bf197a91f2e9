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
        -i|--input) compopt -o filenames 2>/dev/null; mapfile -t COMPREPLY < <(compgen -f -- "$current"); return ;;
        --input-format) mapfile -t COMPREPLY < <(compgen -W 'auto plain jsonl aria2 sums' -- "$current"); return ;;
        --base-url) return ;;
        --shard) return ;;
        -o|--output) compopt -o filenames 2>/dev/null; mapfile -t COMPREPLY < <(compgen -f -- "$current"); return ;;
        -d|--directory) compopt -o filenames 2>/dev/null; mapfile -t COMPREPLY < <(compgen -d -- "$current"); return ;;
        --checksum) return ;;
        --on-exists) mapfile -t COMPREPLY < <(compgen -W 'skip overwrite rename fail' -- "$current"); return ;;
        --resume) mapfile -t COMPREPLY < <(compgen -W 'auto strict never unsafe' -- "$current"); return ;;
        --max-size) return ;;
        --durability) mapfile -t COMPREPLY < <(compgen -W 'none file full' -- "$current"); return ;;
        -j|--jobs) return ;;
        --jobs-per-host) return ;;
        --limit-rate) return ;;
        --limit-rate-per-task) return ;;
        --start-rate) return ;;
        --connect-timeout) return ;;
        --idle-timeout) return ;;
        --deadline) return ;;
        --retries) return ;;
        --retry-max-time) return ;;
        --retry-after-max) return ;;
        --on-interrupt) mapfile -t COMPREPLY < <(compgen -W 'quit drain' -- "$current"); return ;;
        --control) compopt -o filenames 2>/dev/null; mapfile -t COMPREPLY < <(compgen -f -- "$current"); return ;;
        --journal) compopt -o filenames 2>/dev/null; mapfile -t COMPREPLY < <(compgen -f -- "$current"); return ;;
        -t|--transport) mapfile -t COMPREPLY < <(compgen -W 'curl urlsession' -- "$current"); return ;;
        -H|--header) return ;;
        --user) return ;;
        --netrc-file) compopt -o filenames 2>/dev/null; mapfile -t COMPREPLY < <(compgen -f -- "$current"); return ;;
        --proxy) return ;;
        --cacert) compopt -o filenames 2>/dev/null; mapfile -t COMPREPLY < <(compgen -f -- "$current"); return ;;
        --user-agent) return ;;
        --resolve) return ;;
        -f|--frontend) mapfile -t COMPREPLY < <(compgen -W 'auto none ncurses log jsonl' -- "$current"); return ;;
        --events) compopt -o filenames 2>/dev/null; mapfile -t COMPREPLY < <(compgen -f -- "$current"); return ;;
        --progress-interval) mapfile -t COMPREPLY < <(compgen -W 'off' -- "$current"); return ;;
        --log-file) compopt -o filenames 2>/dev/null; mapfile -t COMPREPLY < <(compgen -f -- "$current"); return ;;
        --log-time) mapfile -t COMPREPLY < <(compgen -W 'utc relative' -- "$current"); return ;;
        --color) mapfile -t COMPREPLY < <(compgen -W 'auto always never' -- "$current"); return ;;
        --fps) return ;;
        --speed) mapfile -t COMPREPLY < <(compgen -W 'max' -- "$current"); return ;;
        --config) compopt -o filenames 2>/dev/null; mapfile -t COMPREPLY < <(compgen -f -- "$current"); return ;;
    esac
    for ((index = 1; index < COMP_CWORD; index++)); do
        case ${COMP_WORDS[index]} in
            -i|--input|--input-format|--base-url|--shard|-o|--output|-d|--directory|--checksum|--on-exists|--resume|--max-size|--durability|-j|--jobs|--jobs-per-host|--limit-rate|--limit-rate-per-task|--start-rate|--connect-timeout|--idle-timeout|--deadline|--retries|--retry-max-time|--retry-after-max|--on-interrupt|--control|--journal|-t|--transport|-H|--header|--user|--netrc-file|--proxy|--cacert|--user-agent|--resolve|-f|--frontend|--events|--progress-interval|--log-file|--log-time|--color|--fps|--speed|--config)
                [[ ${COMP_WORDS[index + 1]} == = ]] && ((index++))
                ((index++)) ;;
            -h|--help) verb=help ;;
            -*) ;;
            *)
                ((operands++))
                if [[ -z $verb ]]; then
                    case ${COMP_WORDS[index]} in
                        get|replay|report|demo|config|plugins|completions|help)
                            verb=${COMP_WORDS[index]} operands=0 ;;
                        *) verb='get' ;;
                    esac
                fi ;;
        esac
    done
    if [[ $current == -* ]]; then
        case $verb in
            '' | get) mapfile -t COMPREPLY < <(compgen -W '-i --input --input-format --base-url --shard --dry-run -o --output -d --directory --checksum --on-exists --resume --refresh --remote-name --remote-time --max-size --durability -j --jobs --jobs-per-host --limit-rate --limit-rate-per-task --start-rate --connect-timeout --idle-timeout --deadline --retries --retry-max-time --retry-after-max --fail-fast --on-interrupt --start-paused --control --journal -t --transport -H --header --user --netrc --netrc-file --proxy --cacert --insecure --user-agent --http1.1 --resolve -f --frontend --events --progress-interval --log-file --log-time --color --fps -q --quiet -v --verbose --config --no-config -h --help --version' -- "$current") ;;
            replay) mapfile -t COMPREPLY < <(compgen -W '-f --frontend --events --progress-interval --log-file --log-time --color --fps -q --quiet -v --verbose --speed --config --no-config -h --help --version' -- "$current") ;;
            report) mapfile -t COMPREPLY < <(compgen -W '--summary --har --metrics -h --help --version' -- "$current") ;;
            demo) mapfile -t COMPREPLY < <(compgen -W '-d --directory --on-exists --resume --refresh --remote-name --remote-time --max-size --durability -j --jobs --jobs-per-host --limit-rate --limit-rate-per-task --start-rate --connect-timeout --idle-timeout --deadline --retries --retry-max-time --retry-after-max --fail-fast --on-interrupt --start-paused -t --transport -f --frontend --events --progress-interval --log-file --log-time --color --fps -q --quiet -v --verbose --config --no-config -h --help --version' -- "$current") ;;
            config) mapfile -t COMPREPLY < <(compgen -W '-i --input --input-format --base-url --shard --dry-run -o --output -d --directory --checksum --on-exists --resume --refresh --remote-name --remote-time --max-size --durability -j --jobs --jobs-per-host --limit-rate --limit-rate-per-task --start-rate --connect-timeout --idle-timeout --deadline --retries --retry-max-time --retry-after-max --fail-fast --on-interrupt --start-paused --control --journal -t --transport -H --header --user --netrc --netrc-file --proxy --cacert --insecure --user-agent --http1.1 --resolve -f --frontend --events --progress-interval --log-file --log-time --color --fps -q --quiet -v --verbose --config --no-config --explain -h --help --version' -- "$current") ;;
            plugins) mapfile -t COMPREPLY < <(compgen -W '--json -h --help --version' -- "$current") ;;
            completions) mapfile -t COMPREPLY < <(compgen -W '-h --help --version' -- "$current") ;;
            help) mapfile -t COMPREPLY < <(compgen -W '-h --help --version' -- "$current") ;;
        esac
        return
    fi
    case $verb in
        '') mapfile -t COMPREPLY < <(compgen -W 'get replay report demo config plugins completions help' -- "$current") ;;
        replay) compopt -o filenames 2>/dev/null; mapfile -t COMPREPLY < <(compgen -f -- "$current") ;;
        report) compopt -o filenames 2>/dev/null; mapfile -t COMPREPLY < <(compgen -f -- "$current") ;;
        config) if ((operands)); then compopt -o filenames 2>/dev/null; mapfile -t COMPREPLY < <(compgen -f -- "$current"); else mapfile -t COMPREPLY < <(compgen -W 'check schema' -- "$current"); fi ;;
        completions) mapfile -t COMPREPLY < <(compgen -W 'bash zsh fish' -- "$current") ;;
        help) mapfile -t COMPREPLY < <(compgen -W 'all files limits network display reports other get replay report demo config plugins completions help input input-format base-url shard dry-run output directory checksum on-exists resume refresh remote-name remote-time max-size durability jobs jobs-per-host limit-rate limit-rate-per-task start-rate connect-timeout idle-timeout deadline retries retry-max-time retry-after-max fail-fast on-interrupt start-paused control journal transport header user netrc netrc-file proxy cacert insecure user-agent http1.1 resolve frontend events progress-interval log-file log-time color fps quiet verbose speed summary har metrics no-config json explain version' -- "$current") ;;
    esac
}
complete -F _whirl whirl
