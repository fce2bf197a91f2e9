import Glibc
import Testing
import WhirlLoopback

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

    @Test("that exclude each other are settled by the stronger source")
    func settled() throws {
        let settings = try Samples.settings(["-v", "u"], environment: ["WHIRL_QUIET": "1"])
        #expect(settings.isOn(.verbose) && !settings.isOn(.quiet))
        let file = try ScratchFile("verbose: true\n")
        let other = try Samples.settings(["-q", "--config", file.path, "u"])
        #expect(other.isOn(.quiet) && !other.isOn(.verbose))
    }

    @Test("come from the project's file before the user's, and from a named one before both")
    func layers() throws {
        let folder = try TemporaryFolder()
        folder.writeDeep("project/whirl.yaml", "jobs: 4\nretries: 4\ndeadline: 4\n")
        folder.writeDeep("home/.config/whirl/config.yaml", "jobs: 3\nretries: 3\ndeadline: 3\nidle-timeout: 3\n")
        folder.writeDeep("xdg/whirl/config.yaml", "idle-timeout: 2\n")
        folder.writeDeep("named", "jobs: 5\n")
        let home = ["HOME": folder.path + "/home", "WHIRL_RETRIES": "6"]
        func settings(_ words: [String], _ environment: [String: String]) throws(CommandError) -> Settings {
            try Launcher.settings(
                ArgumentParser.parse(words, by: Samples.table), environment: environment, table: Samples.table,
                folder: folder.path + "/project")
        }
        let all = try settings(["--config", folder.path + "/named"], home)
        #expect(all.integer(.jobs) == 5 && all.integer(.retries) == 6)
        #expect(all.number(.deadline) == 4 && all.number(.idleTimeout) == 3)
        #expect(all.sources.map(\.role) == [.named, .project, .user] && all.sources.allSatisfy(\.isThere))
        let xdg = try settings([], home.merging(["XDG_CONFIG_HOME": folder.path + "/xdg"]) { $1 })
        #expect(xdg.number(.idleTimeout) == 2 && xdg.integer(.jobs) == 4)
        #expect(try settings([], home.merging(["XDG_CONFIG_HOME": "xdg"]) { $1 }).number(.idleTimeout) == 3)
        let none = try settings(["--no-config"], home)
        #expect(none.integer(.jobs) == 8 && none.sources.isEmpty)
        let absent = try settings([], ["HOME": "/nonexistent"])
        #expect(absent.sources.map(\.isThere) == [true, false])
        // Named, a project's file is no stranger's, and is read once.
        folder.writeDeep("project/whirl.yaml", "proxy: http://p\n")
        let named = try settings(["--config", folder.path + "/project/whirl.yaml"], home)
        #expect(named.text(.proxy) == "http://p" && named.sources.map(\.role) == [.named, .user])
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
            (["-v", "-q", "u"], [:], "-q and -v contradict each other; leave one out"),
            (
                ["u"], ["WHIRL_QUIET": "1", "WHIRL_VERBOSE": "1"],
                "WHIRL_QUIET and WHIRL_VERBOSE contradict each other; leave one out"
            ),
            (
                ["--config", "/proc/none/whirl.yaml", "u"], [:],
                "/proc/none/whirl.yaml: No such file or directory; look whether the name is right"
            ),
        ])
    func mistakes(_ words: [String], _ environment: [String: String], _ sentence: String) {
        #expect(
            Samples.complaint { () throws(CommandError) in try Samples.settings(words, environment: environment) }
                == sentence)
    }

    @Test("can be asked for by variable for every option but those that only print or choose files")
    func variables() {
        let without = Samples.table.options.filter { !$0.sources.contains(.environment) }.map(\.name)
        #expect(
            Set(without) == [.noConfig, .json, .explain, .speed, .summary, .har, .metrics, .help, .version])
        #expect(OptionName.jobsPerHost.variable == "WHIRL_JOBS_PER_HOST")
    }
}
