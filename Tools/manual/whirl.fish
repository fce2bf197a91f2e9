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
            case -i --input --input-format --base-url --shard -o --output -d --directory --checksum --on-exists --resume --max-size --durability -j --jobs --jobs-per-host --limit-rate --limit-rate-per-task --start-rate --connect-timeout --idle-timeout --deadline --retries --retry-max-time --retry-after-max --on-interrupt --control --journal -t --transport -H --header --user --netrc-file --proxy --cacert --user-agent --resolve -f --frontend --events --progress-interval --log-file --log-time --color --fps --speed --config
                set is_value yes
            case -h --help
                echo help
                return
            case '-*'
            case get replay report demo config plugins completions help
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
complete -c whirl -n '__whirl_is none' -a get -d 'transfer; the default verb'
complete -c whirl -n '__whirl_is none' -a replay -d 'show a recorded or live stream (-f jsonl)'
complete -c whirl -n '__whirl_is none' -a report -d 'sum up recorded streams'
complete -c whirl -n '__whirl_is none' -a demo -d 'transfer from a built-in server'
complete -c whirl -n '__whirl_is none' -a config -d 'the settings; what is wrong with a file'
complete -c whirl -n '__whirl_is none' -a plugins -d 'transports and frontends'
complete -c whirl -n '__whirl_is none' -a completions -d 'for your shell'
complete -c whirl -n '__whirl_is none' -a help -d 'about an option, a verb, or all'
complete -c whirl -n '__whirl_is none get config' -s i -l input -r -F -d 'a list: URLs, JSON, aria2\'s, SHA256SUMS'
complete -c whirl -n '__whirl_is none get config' -l input-format -x -a 'auto plain jsonl aria2 sums' -d 'auto|plain|jsonl|aria2|sums'
complete -c whirl -n '__whirl_is none get config' -l base-url -x -d 'the folder of names in SHA256SUMS'
complete -c whirl -n '__whirl_is none get config' -l shard -x -d 'of N parts of all URLs the K-th'
complete -c whirl -n '__whirl_is none get config' -l dry-run -d 'only say what would be done'
complete -c whirl -n '__whirl_is none get config' -s o -l output -r -F -d 'its name; of many {index}-{name}; - is stdout'
complete -c whirl -n '__whirl_is none get demo config' -s d -l directory -x -a '(__fish_complete_directories)' -d 'where files go'
complete -c whirl -n '__whirl_is none get config' -l checksum -x -d 'what the one URL\'s bytes must hash to'
complete -c whirl -n '__whirl_is none get demo config' -l on-exists -x -a 'skip overwrite rename fail' -d 'skip|overwrite|rename|fail the file'
complete -c whirl -n '__whirl_is none get demo config' -l resume -x -a 'auto strict never unsafe' -d 'auto|strict|never|unsafe'
complete -c whirl -n '__whirl_is none get demo config' -l refresh -d 'fetch what is there again, if the server has newer'
complete -c whirl -n '__whirl_is none get demo config' -l remote-name -d 'the name that the server proposes'
complete -c whirl -n '__whirl_is none get demo config' -l remote-time -d 'the server\'s time for the file'
complete -c whirl -n '__whirl_is none get demo config' -l max-size -x -d 'no file larger than that, such as 2G'
complete -c whirl -n '__whirl_is none get demo config' -l durability -x -a 'none file full' -d 'none|file|full synced'
complete -c whirl -n '__whirl_is none get demo config' -s j -l jobs -x -d 'transfers at once'
complete -c whirl -n '__whirl_is none get demo config' -l jobs-per-host -x -d 'the same for one host (default: as --jobs)'
complete -c whirl -n '__whirl_is none get demo config' -l limit-rate -x -d 'bytes per second of the run, such as 500k'
complete -c whirl -n '__whirl_is none get demo config' -l limit-rate-per-task -x -d 'bytes per second of each transfer'
complete -c whirl -n '__whirl_is none get demo config' -l start-rate -x -d 'requests that may start per second'
complete -c whirl -n '__whirl_is none get demo config' -l connect-timeout -x -d 'seconds to get a connection'
complete -c whirl -n '__whirl_is none get demo config' -l idle-timeout -x -d 'seconds without a byte at most'
complete -c whirl -n '__whirl_is none get demo config' -l deadline -x -d 'seconds that the whole run may take'
complete -c whirl -n '__whirl_is none get demo config' -l retries -x -d 'more tries after a failure'
complete -c whirl -n '__whirl_is none get demo config' -l retry-max-time -x -d 'no new try after so many seconds'
complete -c whirl -n '__whirl_is none get demo config' -l retry-after-max -x -d 'longest Retry-After to wait for'
complete -c whirl -n '__whirl_is none get demo config' -l fail-fast -d 'the first failure ends the run'
complete -c whirl -n '__whirl_is none get demo config' -l on-interrupt -x -a 'quit drain' -d 'first Ctrl-C: quit|drain'
complete -c whirl -n '__whirl_is none get demo config' -l start-paused -d 'transfers wait until resumed'
complete -c whirl -n '__whirl_is none get config' -l control -r -F -d 'commands, as JSON Lines'
complete -c whirl -n '__whirl_is none get config' -l journal -r -F -d 'note in FILE what is done; skip it next time'
complete -c whirl -n '__whirl_is none get demo config' -s t -l transport -x -a 'curl urlsession' -d 'curl, urlsession'
complete -c whirl -n '__whirl_is none get config' -s H -l header -x -d 'sent with every request; repeatable'
complete -c whirl -n '__whirl_is none get config' -l user -x -d 'who to be; asks for a PASS not given'
complete -c whirl -n '__whirl_is none get config' -l netrc -d 'names and passwords from ~/.netrc'
complete -c whirl -n '__whirl_is none get config' -l netrc-file -r -F -d 'the same from another file'
complete -c whirl -n '__whirl_is none get config' -l proxy -x -d 'http, https, socks4[a], socks5[h]'
complete -c whirl -n '__whirl_is none get config' -l cacert -r -F -d 'certificates to trust, PEM'
complete -c whirl -n '__whirl_is none get config' -l insecure -d 'trust any certificate'
complete -c whirl -n '__whirl_is none get config' -l user-agent -x -d 'what to be called'
complete -c whirl -n '__whirl_is none get config' -l http1.1 -d 'no HTTP/2'
complete -c whirl -n '__whirl_is none get config' -l resolve -x -d 'the host\'s address; repeatable'
complete -c whirl -n '__whirl_is none get replay demo config' -s f -l frontend -x -a 'auto none ncurses log jsonl' -d 'auto, none, ncurses, log, jsonl'
complete -c whirl -n '__whirl_is none get replay demo config' -l events -r -F -d 'JSON Lines of all that happens, beside the frontend'
complete -c whirl -n '__whirl_is none get replay demo config' -l progress-interval -x -a 'off' -d 'seconds between progress events'
complete -c whirl -n '__whirl_is none get replay demo config' -l log-file -r -F -d 'the log, appended to a file beside the frontend'
complete -c whirl -n '__whirl_is none get replay demo config' -l log-time -x -a 'utc relative' -d 'utc|relative: times in the log'
complete -c whirl -n '__whirl_is none get replay demo config' -l color -x -a 'auto always never' -d 'auto, always, never'
complete -c whirl -n '__whirl_is none get replay demo config' -l fps -x -d 'frames per second of ncurses'
complete -c whirl -n '__whirl_is none get replay demo config' -s q -l quiet -d 'nothing on stdout and stderr but what failed'
complete -c whirl -n '__whirl_is none get replay demo config' -s v -l verbose -d 'more lines in the log'
complete -c whirl -n '__whirl_is replay' -l speed -x -a 'max' -d 'how fast a recorded run is shown'
complete -c whirl -n '__whirl_is report' -l summary -d 'how the runs went, for people (the default)'
complete -c whirl -n '__whirl_is report' -l har -d 'each exchange and its timings as HAR 1.2'
complete -c whirl -n '__whirl_is report' -l metrics -d 'sums in the text format of Prometheus'
complete -c whirl -n '__whirl_is none get replay demo config' -l config -r -F -d 'settings in YAML, such as jobs: 4; repeatable'
complete -c whirl -n '__whirl_is none get replay demo config' -l no-config -d 'no file but those of --config'
complete -c whirl -n '__whirl_is plugins' -l json -d 'plugins as JSON'
complete -c whirl -n '__whirl_is config' -l explain -d 'where each setting came from'
complete -c whirl -n '__whirl_is none get replay report demo config plugins completions help' -s h -l help -d 'this text; all, or about WORD: --help WORD'
complete -c whirl -n '__whirl_is none get replay report demo config plugins completions help' -l version -d 'the version'
complete -c whirl -n '__whirl_is replay' -F
complete -c whirl -n '__whirl_is report' -F
complete -c whirl -n '__whirl_is config' -a 'check schema'
complete -c whirl -n '__whirl_is config' -F
complete -c whirl -n '__whirl_is completions' -a 'bash zsh fish'
complete -c whirl -n '__whirl_is help' -a 'all files limits network display reports other get replay report demo config plugins completions help input input-format base-url shard dry-run output directory checksum on-exists resume refresh remote-name remote-time max-size durability jobs jobs-per-host limit-rate limit-rate-per-task start-rate connect-timeout idle-timeout deadline retries retry-max-time retry-after-max fail-fast on-interrupt start-paused control journal transport header user netrc netrc-file proxy cacert insecure user-agent http1.1 resolve frontend events progress-interval log-file log-time color fps quiet verbose speed summary har metrics no-config json explain version'
