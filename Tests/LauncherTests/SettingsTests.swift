import Glibc
import Testing

@testable import WhirlLauncher

@Suite("Settings")
struct SettingsTests {
    @Test("come from flags before variables before the file before the defaults")
    func precedence() throws {
        let file = try ScratchFile("jobs: 5\nidle-timeout: 7\non-exists: fail\n")
        let settings = try Samples.settings(
            ["-j2", "--config", file.path, "u"], environment: ["WHIRL_JOBS": "3", "WHIRL_IDLE_TIMEOUT": "9.5"])
        #expect(settings.integer(.jobs) == 2)
        #expect(settings.last(.jobs)?.origin == .flag("-j"))
        #expect(settings.number(.idleTimeout) == 9.5)
        #expect(settings.last(.idleTimeout)?.origin == .variable("WHIRL_IDLE_TIMEOUT"))
        #expect(settings.text(.onExists) == "fail")
        #expect(
            settings.last(.onExists)?.origin == .file(path: file.path, line: 3, column: 12, key: "on-exists"))
        #expect(settings.number(.connectTimeout) == 30)
        #expect(settings.last(.connectTimeout)?.origin == .preset)
        #expect(settings.text(.transport) == "fast")
    }

    @Test("of a repeatable option come whole from the strongest source that has any")
    func repeatable() throws {
        let file = try ScratchFile("header: ['A: 1', 'B: 2']\n")
        let fromFile = try Samples.settings(["--config=\(file.path)", "u"])
        #expect(fromFile.all(.header).map(\.value) == [.text("A: 1"), .text("B: 2")])
        let fromFlags = try Samples.settings(["--config=\(file.path)", "-H", "C: 3", "u"])
        #expect(fromFlags.all(.header).map(\.value) == [.text("C: 3")])
        let fromVariable = try Samples.settings(["u"], environment: ["WHIRL_HEADER": "D: 4\nE: 5"])
        #expect(fromVariable.all(.header).map(\.value) == [.text("D: 4"), .text("E: 5")])
    }

    @Test("read the file that WHIRL_CONFIG names, unless --no-config")
    func configVariable() throws {
        let file = try ScratchFile("jobs: 5\n")
        let environment = ["WHIRL_CONFIG": file.path]
        #expect(try Samples.settings(["u"], environment: environment).integer(.jobs) == 5)
        #expect(try Samples.settings(["--no-config", "u"], environment: environment).integer(.jobs) == 8)
    }

    @Test("come from every file of --config, the later ones stronger; with --no-config from no other")
    func severalFiles() throws {
        let first = try ScratchFile("jobs: 5\nretries: 1\n"), second = try ScratchFile("jobs: 6\n")
        let words = ["--config", first.path, "--config", second.path, "u"]
        #expect(try Samples.settings(words).integer(.jobs) == 6)
        let third = try ScratchFile("jobs: 7\n")
        let settings = try Samples.settings(words + ["--no-config"], environment: ["WHIRL_CONFIG": third.path])
        #expect(settings.integer(.jobs) == 6 && settings.integer(.retries) == 1)
    }

    @Test("ignore empty variables and those of others")
    func foreign() throws {
        let settings = try Samples.settings(
            ["u"], environment: ["WHIRL_JOBS": "", "WHIRL_BUILD_ROOT": "x", "JOBS": "4"])
        #expect(settings.integer(.jobs) == 8)
    }

    @Test(
        "that are wrong are told with their origin",
        arguments: [
            (["u"], ["WHIRL_JOBS": "many"], "WHIRL_JOBS: 'many' is not a whole number from 1 to 1000"),
            (["u"], ["WHIRL_JOBZ": "4"], "'WHIRL_JOBZ' is not a variable of whirl; did you mean WHIRL_JOBS?"),
            (["u"], ["WHIRL_QUIET": "x"], "WHIRL_QUIET: 'x' is neither true nor false"),
            (["-v", "u"], ["WHIRL_QUIET": "1"], "WHIRL_QUIET and -v contradict each other; leave one out"),
            (["--config", "/proc/none/whirl.yaml", "u"], [:], "/proc/none/whirl.yaml: No such file or directory"),
        ])
    func mistakes(_ words: [String], _ environment: [String: String], _ sentence: String) {
        #expect(
            Samples.complaint { () throws(CommandError) in try Samples.settings(words, environment: environment) }
                == sentence)
    }

    @Test("can be asked for by variable for every option but those that only print or choose files")
    func variables() {
        let without = Samples.table.options.filter { !$0.sources.contains(.environment) }.map(\.name)
        #expect(Set(without) == [.noConfig, .json, .help, .version])
        #expect(OptionName.jobsPerHost.variable == "WHIRL_JOBS_PER_HOST")
    }
}
