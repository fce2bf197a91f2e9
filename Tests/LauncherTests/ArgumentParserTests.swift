import Testing

@testable import WhirlLauncher

@Suite("The command line")
struct ArgumentParserTests {
    @Test(
        "is read in every usual spelling",
        arguments: [
            ["--jobs", "3", "u"], ["--jobs=3", "u"], ["-j", "3", "u"], ["-j3", "u"], ["-j=3", "u"], ["u", "-j3"],
            ["-qj3", "u"], ["-j", "3", "--", "u"], ["get", "-j3", "u"], ["-j3", "get", "u"], ["-j3", "--jobs=3", "u"],
        ])
    func spellings(_ words: [String]) throws {
        let arguments = try ArgumentParser.parse(words, by: Samples.table)
        #expect(arguments.settings[.jobs]?.map(\.value) == [.integer(3)])
        #expect(arguments.operands == ["u"])
    }

    @Test("keeps every value of an option that may be repeated, in order")
    func repeated() throws {
        let arguments = try Samples.arguments("-H", "A: 1", "u", "--header=B: 2", "-HC:3")
        #expect(arguments.settings[.header]?.map(\.value) == [.text("A: 1"), .text("B: 2"), .text("C:3")])
    }

    @Test(
        "refuses an option that is given twice with different values",
        arguments: [
            (["-o", "a", "-o", "b", "u"], "-o: given twice, with different values; leave one out"),
            (["-j9", "--jobs", "3", "u"], "--jobs: given twice, with different values; leave one out"),
            (["-q", "--quiet=no", "u"], "--quiet: given twice, with different values; leave one out"),
        ])
    func twice(_ words: [String], _ sentence: String) {
        #expect(
            Samples.complaint { () throws(CommandError) in try ArgumentParser.parse(words, by: Samples.table) }
                == sentence)
    }

    @Test("takes everything after -- as a URL")
    func separator() throws {
        let arguments = try Samples.arguments("--", "demo", "-q", "--help")
        #expect(arguments.verb == nil)
        #expect(arguments.operands == ["demo", "-q", "--help"])
        #expect(arguments.settings.isEmpty)
    }

    @Test("takes a flag's value only after an equals sign")
    func flags() throws {
        #expect(try Samples.arguments("--quiet=no", "u").settings[.quiet]?.last?.value == .flag(false))
        #expect(try Samples.arguments("--quiet", "no").operands == ["no"])
        #expect(try Samples.arguments("-qv").settings.keys.sorted { $0.rawValue < $1.rawValue } == [.quiet, .verbose])
    }

    @Test("takes a value as it is, even one that looks like an option")
    func dashedValue() throws {
        #expect(try Samples.arguments("-o", "-", "u").settings[.output]?.last?.value == .text("-"))
        #expect(try Samples.arguments("-d", "--odd", "u").settings[.directory]?.last?.value == .text("--odd"))
    }

    @Test("knows the verb by the first word that is no option", arguments: Verb.allCases)
    func verbs(_ verb: Verb) throws {
        let operands = Array(repeating: "x", count: verb.operands.count.lowerBound)
        #expect(try ArgumentParser.parse([verb.rawValue] + operands, by: Samples.table).verb == verb)
    }

    @Test("after --help names what help is wanted about, options too, and asks nothing of them")
    func help() throws {
        #expect(try Samples.arguments("--help", "--jobs", "-x", "--").operands == ["--jobs", "-x", "--"])
        #expect(try Samples.arguments("help", "all").operands == ["all"])
        #expect(try Samples.arguments("plugins", "-j3", "--help").verb == .plugins)
    }

    @Test(
        "that is wrong is answered with what would be right",
        arguments: [
            (["--jbos", "3"], "'--jbos' is not an option; did you mean --jobs?"),
            (["--job", "3"], "'--job' is not an option; did you mean --jobs?"),
            (["--timeout=3"], "'--timeout' is not an option; did you mean --connect-timeout or --idle-timeout?"),
            (["--xyzzy"], "'--xyzzy' is not an option; see whirl --help"),
            (["-y"], "'-y' is not an option; see whirl --help"),
            (["-L", "u"], "'-L' is not an option; redirects are followed anyway"),
            (["-O", "u"], "'-O' is not an option; every file is named by its URL anyway"),
            (["--remote-name-all"], "'--remote-name-all' is not an option; every file is named by its URL anyway"),
            (["-c", "u"], "'-c' is not an option; what is there in part is continued anyway, see --resume"),
            (["--create-dirs"], "'--create-dirs' is not an option; folders are made anyway"),
            (["--fail", "u"], "'--fail' is not an option; an answer such as 404 is a failure anyway"),
            (["-x", "http://p"], "'-x' is not an option; here that is --proxy"),
            (["-L"], "'-L' is not an option; redirects are followed anyway"),
            (["--parallel", "3"], "'--parallel' is not an option; here that is --jobs"),
            (["--continue"], "'--continue' is not an option; here that is --resume"),
            (["--fail"], "'--fail' is not an option; an answer such as 404 is a failure anyway"),
            (["-D", "out"], "'-D' is not an option; did you mean -d (--directory)?"),
            (["-events", "f"], "'-events' is not an option; did you mean --events?"),
            (["-j"], "-j needs a value: -j N"),
            (["--events"], "--events needs a value: --events FILE|fd:N"),
            (["-j", "many"], "-j: 'many' is not a whole number from 1 to 1000"),
            (["-j0"], "-j: '0' is not a whole number from 1 to 1000"),
            (["--jobs=99999999999999999999"], "--jobs: '99999999999999999999' is not a whole number from 1 to 1000"),
            (["-j", "+3"], "-j: '+3' is not a whole number from 1 to 1000"),
            (["--jobs="], "--jobs: '' is not a whole number from 1 to 1000"),
            (["--quiet=maybe"], "--quiet: 'maybe' is neither true nor false"),
            (
                ["--on-exists", "skp"],
                "--on-exists: 'skp' is none of skip, overwrite, rename, fail; did you mean skip?"
            ),
            (["--color=red"], "--color: 'red' is none of auto, always, never"),
            (["version"], "'version' is neither a verb nor a URL; did you mean --version?"),
            (["dry-run", "u"], "'dry-run' is neither a verb nor a URL; did you mean --dry-run?"),
            (["-d", ""], "-d: must not be empty; give a value, or leave it out"),
            (
                ["--idle-timeout", "soon"],
                "--idle-timeout: 'soon' is not a number of seconds from 0.001 to 86400, such as 2.5"
            ),
            (["-H", "token abc"], "-H: there is no colon; write it as 'Name: value'"),
            (["-H", "Range: bytes=1-"], "-H: Range is set by whirl itself; leave it out"),
            (["plugin"], "'plugin' is neither a verb nor a URL; did you mean whirl plugins?"),
            (["--json", "u"], "--json is not for whirl get, only for whirl plugins"),
            (["demo", "-i", "list"], "-i is not for whirl demo, only for whirl get"),
            (["demo", "u"], "whirl demo brings its own URLs; to fetch 'u' leave the word demo out"),
            (["plugins", "u"], "whirl plugins takes no 'u'; leave it out"),
            (["--\u{1B}[31m"], "'--\\u{1b}[31m' is not an option; see whirl --help"),
        ])
    func mistakes(_ words: [String], _ sentence: String) {
        #expect(
            Samples.complaint { () throws(CommandError) in try ArgumentParser.parse(words, by: Samples.table) }
                == sentence)
    }

    @Test("never repeats a header's value in an error", arguments: ["secret", "bad name: secret", "X: a\nsecret"])
    func secrets(_ line: String) throws {
        let sentence = try #require(Samples.complaint { () throws(CommandError) in try Samples.arguments("-H", line) })
        #expect(!sentence.contains("secret"))
    }

    @Test(
        "takes seconds with a fraction",
        arguments: [("0.5", 0.5), ("30", 30), (".25", 0.25), ("86400", 86400), ("0.001", 0.001)])
    func fractions(_ text: String, _ seconds: Double) throws {
        #expect(try Samples.arguments("--idle-timeout", text).settings[.idleTimeout]?.last?.value == .number(seconds))
    }

    @Test(
        "refuses what is no number of seconds",
        arguments: ["0", "-1", "inf", "nan", "1e3", "0x10", "1.2.3", "", "30s", " 3", "86401", "."])
    func notSeconds(_ text: String) {
        #expect(throws: CommandError.self) { try Samples.arguments("--connect-timeout", text) }
    }
}
