import Testing
import WhirlCore

@testable import WhirlLauncher

@Suite("A sentence about a mistake")
struct SentenceTests {
    private static let readsStandardInputTwice = ["-i", "-", "-i", "-"]

    @Test(
        "says what is wrong and what to do",
        arguments: [
            (["-"], "'-' is not a URL; to read a list from stdin write -i -, to write to stdout -o -"),
            (
                ["-H", "a b: canary", "u"],
                "-H: before the colon there must be a header's name without blanks; write it as 'Name: value'"
            ),
            (
                ["-H", "A: canary\u{1}", "u"],
                "-H: the value of A contains a line end or another control character; leave it out"
            ),
            (["--user", "a\u{1}b", "u"], "--user: must not contain a control character; leave it out"),
            (["-d", "a\0b", "u"], "-d: must not contain a NUL; leave it out"),
            (
                ["--start-rate", "0", "u"],
                "--start-rate: '0' is not a number of starts per second, such as 5 or 0.5/s"
            ),
            (
                ["--limit-rate", "fast", "u"],
                "--limit-rate: 'fast' is not a number of bytes per second, such as 500k or 1.5M"
            ),
            (
                ["--user-agent", "x", "-H", "User-Agent: y", "u"],
                "--user-agent and -H User-Agent contradict each other; leave one out"
            ),
            (["--fps", "0", "u"], "--fps: '0' is not a whole number from 1 to 30"),
            (["--explain", "u"], "--explain is not for whirl get, only for whirl config"),
            (["completions", "bash", "zsh"], "whirl completions takes no 'zsh'; leave it out"),
            (["config", "-y"], "'-y' is not an option; see whirl --help"),
        ])
    func said(_ words: [String], _ sentence: String) {
        let complaint = Samples.complaint { () throws(CommandError) in
            let settings = try Samples.settings(words)
            return try RunPlan(settings, registry: Samples.registry, environment: [:], inputs: Inputs([]))
        }
        #expect(complaint == sentence)
    }

    @Test("names the build that has no transport")
    func nothing() {
        let registry = Registry(transports: [], frontends: [Samples.frontend(Registry.log)])
        let complaint = Samples.complaint { () throws(CommandError) in
            let settings = try Launcher.settings(
                ArgumentParser.parse(["u"], by: registry.table), environment: [:], table: registry.table)
            return try RunPlan(settings, registry: registry, environment: [:], inputs: Inputs([]))
        }
        #expect(complaint == "this build has no transport; build it with the trait Curl or URLSession")
    }

    @Test(
        "about a netrc file tells the line and no word of it",
        arguments: [
            ("machine", "n:1: the last word of the line needs a value beside it"),
            ("\nlogin canary", "n:2: before it there must be machine HOST or default"),
            (
                "machine h login me password a canary",
                "n:1: there is a word that is none of machine, default, login, password, account, macdef; "
                    + "put a value with blanks in quotes"
            ),
            ("machine h login can:ary", "n:1: a login can't have a colon in it; leave it out"),
            ("machine h password \"canary", "n:1: a word in quotes has no end; a \" is missing"),
        ])
    func netrc(_ text: String, _ sentence: String) {
        #expect(Samples.complaint { () throws(CommandError) in try Netrc(text, named: "n") } == sentence)
    }

    @Test("about two credentials of one source names both; a stronger source silences the weaker one")
    func credentials() throws {
        let both = try Samples.settings(["--user", "a:b", "-H", "Authorization: c", "u"])
        let complaint = Samples.complaint { () throws(CommandError) in try Credentials(both, environment: [:]) }
        #expect(complaint == "--user and -H Authorization contradict each other; leave one out")
        let file = try ScratchFile("user: {command: exit 1}\n")
        let settings = try Samples.settings(["-H", "Authorization: c", "--config", file.path, "u"])
        _ = try Credentials(settings, environment: [:])
    }

    @Test("about a missing home names the option that does without")
    func homeless() throws {
        let settings = try Samples.settings(["--netrc", "u"])
        let complaint = Samples.complaint { () throws(CommandError) in
            try Credentials(settings, environment: [:])
        }
        #expect(complaint == "--netrc: HOME is not set; use --netrc-file FILE")
    }
}
