import Glibc
import Testing
import WhirlLoopback

@testable import WhirlLauncher

@Suite("whirl config")
struct ConfigCommandTests {
    private func text(_ words: String..., environment: [String: String] = [:]) throws(CommandError) -> String {
        try ConfigCommand.text(
            ArgumentParser.parse(["config"] + words, by: Samples.table), environment: environment,
            registry: Samples.registry)
    }

    @Test("prints what is in force, with groups, and can be read back")
    func readBack() throws {
        let odd = "a b: #\"\\\u{1}\u{85}\u{2028}é\u{FEFF}"
        let words = [
            "-j3", "-o", odd, "-d", "~", "--limit-rate", "1.5M", "-H", "Accept: x", "-H", "Accept-Language: de", "-q",
            "--start-rate", "0.5/s", "--user", "me", "-t", "portable", "--idle-timeout", "0.25",
        ]
        let parsed = try ArgumentParser.parse(["config"] + words, by: Samples.table)
        let printed = try ConfigCommand.text(parsed, environment: [:], registry: Samples.registry)
        let file = try ScratchFile(printed)
        let back = try text("--no-config", "--config", file.path)
        #expect(back == printed)
        let settings = try Samples.settings(["--config", file.path, "u"])
        #expect(settings.text(.output) == odd && settings.text(.directory) == "~")
        #expect(settings.all(.header).map(\.value) == [.text("Accept: x"), .text("Accept-Language: de")])
        #expect(settings.number(.startRate) == 0.5 && settings.isOn(.quiet) && settings.text(.user) == "me")
    }

    @Test("explains where each came from and what it overrode")
    func explain() throws {
        let folder = try TemporaryFolder()
        folder.writeDeep("a", "jobs: 5\nheader: ['Accept: x', 'Referer: y']\n")
        folder.writeDeep(".config/whirl/config.yaml", "jobs: 6\nretries: 1\n")
        let user = folder.path + "/.config/whirl/config.yaml"
        let printed = try text(
            "--explain", "-j3", "--config", folder.path + "/a",
            environment: ["WHIRL_JOBS": "4", "HOME": folder.path])
        let lines = printed.split(separator: "\n")
        #expect(
            lines.contains(
                "jobs: 3  # -j; over WHIRL_JOBS: 4; \(folder.path)/a:1:7: 5; \(user):1:7: 6; default: 8"))
        #expect(lines.contains("retries: 1  # \(user):2:10; over default: 5"))
        #expect(lines.contains("idle-timeout: 60  # default"))
        #expect(lines.contains("  - \"Accept: x\"  # \(folder.path)/a:2:10"))
        #expect(
            printed.hasPrefix(
                """
                # Strongest first:
                #   flags
                #   variables
                #   \(folder.path)/a (--config)
                #   whirl.yaml (project, not there)
                #   \(user) (user)
                #   defaults

                """))
    }

    @Test("prints no secret, and says where there is one")
    func secrets() throws {
        let folder = try TemporaryFolder()
        folder.writeDeep(
            "a",
            """
            user: me:canary
            proxy: 'http://me:canary@h'
            header: ['Authorization: canary', 'X-Any: canary']
            """)
        folder.writeDeep("b", "user: {command: echo canary}\nproxy: {file: secret}\n")
        folder.writeDeep("c", "user: you:canary\n")
        let (first, second) = (folder.path + "/a", folder.path + "/b")
        let printed = try text("--explain", "--config", first, "--config", folder.path + "/c")
        #expect(!printed.contains("canary"))
        #expect(
            printed.contains("# user: not shown, as it may be a secret; it comes from \(folder.path)/c:1:7\n"))
        #expect(
            printed.contains(
                "# header: not shown, as it may be a secret; it comes from \(first):3:10, \(first):3:35\n"))
        let sources = try text("--config", second)
        #expect(
            !sources.contains("canary")
                && sources.contains("proxy: {file: \(YAMLText.scalar(folder.path + "/secret"))}\n"))
        let overridden = try text("--explain", "--config", first, "--user", "me", "-H", "Accept: x")
        #expect(
            !overridden.contains("canary") && overridden.contains("user: me  # --user; over \(first):1:7: (not shown)"))
    }

    @Test("check says that a file is right, or all that is wrong with it")
    func check() throws {
        let right = try ScratchFile("jobs: 4\ncolor: never\n")
        #expect(try text("check", right.path) == "\(right.path): right, settings: 2\n")
        let wrong = try ScratchFile("jobs: x\n")
        #expect(
            Samples.complaint { () throws(CommandError) in try text("check", wrong.path) }
                == "\(wrong.path):1:7: jobs: 'x' is not a whole number from 1 to 1000")
        let transport = try ScratchFile("transport: fsat\n")
        #expect(
            Samples.complaint { () throws(CommandError) in try text("check", transport.path) }
                == "\(transport.path):1:12: transport: 'fsat' is not a transport; there is fast, portable, "
                + "switched off in this build: exotic; did you mean fast?")
        #expect(
            try text("check", environment: ["HOME": "/nonexistent"])
                == "there is no file to check: neither whirl.yaml nor the user's\n")
        let project = try ScratchFile("proxy: http://p\n", name: "whirl.yaml")
        #expect(
            Samples.complaint { () throws(CommandError) in try text("check", project.path) }?
                .contains("proxy is not for the file of a project") == true)
    }

    @Test(
        "refuses other words",
        arguments: [
            ("chekc", "whirl config takes no 'chekc'; did you mean check?"),
            ("schema x", "whirl config schema takes no 'x'; leave it out"),
            ("xyzzy", "whirl config takes no 'xyzzy'; there is check"),
        ])
    func words(_ words: String, _ sentence: String) {
        let arguments = Arguments(verb: .config, operands: words.split(separator: " ").map(String.init))
        let complaint = Samples.complaint { () throws(CommandError) in
            try ConfigCommand.text(arguments, environment: [:], registry: Samples.registry)
        }
        #expect(complaint == sentence)
    }

    @Test("tells of a wrong backend with its place")
    func backends() {
        #expect(
            Samples.complaint { () throws(CommandError) in try text(environment: ["WHIRL_FRONTEND": "lgo"]) }
                == "WHIRL_FRONTEND: 'lgo' is not a frontend; there is auto, none, ncurses, log, jsonl, "
                + "switched off in this build: window; did you mean log?")
    }
}
