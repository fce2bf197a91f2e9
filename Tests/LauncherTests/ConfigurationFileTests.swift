import Glibc
import Testing

@testable import WhirlLauncher

@Suite("A configuration file")
struct ConfigurationFileTests {
    private func layer(_ text: String) throws(CommandError) -> SettingLayer {
        let file = ConfigurationFile(Array(text.utf8), named: "w.yaml", as: .named, by: Samples.table, home: "/home/me")
        if let fault = file.faults.first { throw fault.error }
        return file.layer
    }

    @Test("is YAML whose values are typed by the options")
    func values() throws {
        let layer = try layer(
            """
            # a comment
            jobs: 4
            connect-timeout: "2.5"
            directory: no          # a text where a text is wanted
            quiet: yes
            header:
              - 'Accept: text/html'
              - "X-Empty:"
            input: one.txt
            """)
        #expect(layer[.jobs]?.map(\.value) == [.integer(4)])
        #expect(layer[.connectTimeout]?.map(\.value) == [.number(2.5)])
        #expect(layer[.directory]?.map(\.value) == [.text("no")])
        #expect(layer[.quiet]?.map(\.value) == [.flag(true)])
        #expect(layer[.header]?.map(\.value) == [.text("Accept: text/html"), .text("X-Empty:")])
        #expect(layer[.input]?.map(\.value) == [.text("one.txt")])
    }

    @Test("may be JSON")
    func json() throws {
        let layer = try layer(#"{"jobs": 4, "color": "never", "header": ["A: b"]}"#)
        #expect(layer.count == 3)
        #expect(layer[.color]?.map(\.value) == [.text("never")])
    }

    @Test("may be empty", arguments: ["", "# nothing\n", "---\n", "---\n# nothing\n...\n", "{}"])
    func empty(_ text: String) throws {
        #expect(try layer(text).isEmpty)
    }

    @Test(
        "that is wrong is told with line and column",
        arguments: [
            ("jobs: 4\njbos: 5\n", "w.yaml:2:1: 'jbos' is not a setting; did you mean jobs?"),
            ("jobs_per_host: 2\n", "w.yaml:1:1: 'jobs_per_host' is not a setting; did you mean jobs-per-host?"),
            ("jobs: 4\n\n  \njobs: 5\n", "w.yaml:4:1: jobs stands here and in line 1; one must go"),
            ("jobs: many\n", "w.yaml:1:7: jobs: 'many' is not a whole number from 1 to 1000"),
            ("quiet: maybe\n", "w.yaml:1:8: quiet: 'maybe' is neither true nor false"),
            ("jobs: [1, 2]\n", "w.yaml:1:7: jobs takes one value, not a list"),
            ("jobs:\n", "w.yaml:1:6: jobs has no value; leave the line out for the default"),
            ("jobs: ~\n", "w.yaml:1:7: jobs has no value; leave the line out for the default"),
            ("jobs:\n  a: 1\n", "w.yaml:2:3: jobs takes a value, not a mapping"),
            (
                "header:\n  - Accept: text/html\n",
                "w.yaml:2:5: header: 'Accept' is none of file, command, prefix; put a line in quotes: 'Name: value'"
            ),
            ("header: [[a]]\n", "w.yaml:1:10: header takes a list of values, not of lists"),
            ("help: true\n", "w.yaml:1:1: help can't be set in a file; use --help"),
            ("jobs: &a 4\n", "w.yaml:1:7: an anchor (&) is not for a configuration; write the value itself"),
            ("jobs: *a\n", "w.yaml:1:7: an alias (*) is not for a configuration; write the value itself"),
            ("jobs: !!int 4\n", "w.yaml:1:7: a tag (!) is not for a configuration; write the value itself"),
            ("jobs: 4\n---\njobs: 5\n", "w.yaml:2:1: a second document; leave out what follows ---"),
            ("- jobs\n", "w.yaml:1:1: a configuration is a mapping, such as 'jobs: 4'"),
            ("jobs\n", "w.yaml:1:1: a configuration is a mapping, such as 'jobs: 4'"),
            ("? [a]\n: 4\n", "w.yaml:1:3: a key must be the name of an option"),
            (
                "jobs: 4\n\tquiet: yes\n",
                "w.yaml:2:1: found a tab character that violates indentation; a setting is written as 'key: value'"
            ),
            ("jobs: \"4\n", "w.yaml:2:1: found unexpected end of stream; a setting is written as 'key: value'"),
        ])
    func mistakes(_ text: String, _ sentence: String) {
        #expect(Samples.complaint { () throws(CommandError) in try layer(text) } == sentence)
    }

    @Test("is told all that is wrong with it, as far as it is YAML")
    func allMistakes() {
        let text = """
            jbos: {a: [1, 2]}
            jobs: [1, {a: 2}]
            retries: x
            quiet: {a: b}
            header: [[a], 'B: c', ok]
            color: never
            idle-timeout: &a 2
            deadline: x
            """
        let file = ConfigurationFile(Array(text.utf8), named: "w.yaml", as: .named, by: Samples.table)
        #expect(
            file.faults.map(\.error.message.text) == [
                "w.yaml:1:1: 'jbos' is not a setting; did you mean jobs?",
                "w.yaml:2:7: jobs takes one value, not a list",
                "w.yaml:3:10: retries: 'x' is not a whole number from 0 to 1000000",
                "w.yaml:4:8: quiet takes a value, not a mapping",
                "w.yaml:5:10: header takes a list of values, not of lists",
                "w.yaml:5:23: header: there is no colon; write it as 'Name: value'",
                "w.yaml:7:15: an anchor (&) is not for a configuration; write the value itself",
            ])
        #expect(file.layer[.color]?.map(\.value) == [.text("never")])
    }

    @Test("is read no deeper than makes sense, which libyaml would take minutes for")
    func depth() {
        let text = "header: " + String(repeating: "[", count: 200_000)
        let file = ConfigurationFile(Array(text.utf8), named: "w.yaml", as: .named, by: Samples.table)
        #expect(
            file.faults.last?.error.message.text == "w.yaml:1:40: nested too deeply; a setting takes a value or a list")
    }

    @Test("may have paths from the home, which no shell sees")
    func home() throws {
        #expect(try layer("directory: ~/in\n")[.directory]?.map(\.value) == [.text("/home/me/in")])
        let homeless = ConfigurationFile(Array("input: ~/in".utf8), named: "w", as: .user, by: Samples.table)
        #expect(homeless.faults.map(\.error.message.text) == ["w:1:8: input: HOME is not set; write the whole path"])
    }

    @Test("may say where a secret is")
    func sources() throws {
        let layer = try layer(
            """
            user: {prefix: "me:", command: pass show x}
            proxy: {file: ~/proxy}
            header:
              - file: token
                prefix: 'Authorization: Bearer '
            """)
        #expect(
            layer[.user]?.map(\.value) == [.secret(SecretSource(place: .command("pass show x"), prefix: "me:"))])
        #expect(layer[.proxy]?.map(\.value) == [.secret(SecretSource(place: .file("/home/me/proxy")))])
        let token = SecretSource(place: .file("./token"), prefix: "Authorization: Bearer ")
        #expect(layer[.header]?.map(\.value) == [.secret(token)])
    }

    @Test(
        "that says wrongly where a secret is is told",
        arguments: [
            ("user: {fiel: x}", "w.yaml:1:8: user: 'fiel' is none of file, command, prefix; did you mean file?"),
            (
                "user: {xyzzy: x}",
                "w.yaml:1:8: user: 'xyzzy' is none of file, command, prefix; "
                    + "write it as {file: ~/secret} or {command: pass show web}"
            ),
            (
                "user: {file: x, command: y}",
                "w.yaml:1:7: user takes a text or one of file and command; "
                    + "write it as {file: ~/secret} or {command: pass show web}"
            ),
            (
                "proxy: {prefix: x}",
                "w.yaml:1:8: proxy takes a text or one of file and command; "
                    + "write it as {file: ~/secret} or {command: pass show web}"
            ),
            (
                "user: {file: ''}",
                "w.yaml:1:8: user: file must not be empty; write it as {file: ~/secret} or {command: pass show web}"
            ),
            ("user: {file: x, file: y}", "w.yaml:1:17: user: file stands twice; leave one out"),
            ("user: {file: [x]}", "w.yaml:1:8: 'file' takes a text here"),
            ("user: {? [x] : y}", "w.yaml:1:10: here goes one of file, command, prefix"),
        ])
    func wrongSources(_ text: String, _ sentence: String) {
        #expect(Samples.complaint { () throws(CommandError) in try layer(text) } == sentence)
    }

    @Test("whose secrets or commands others can get at is warned of or refused")
    func permissions() throws {
        let open = try ScratchFile("user: me:canary\n"), shut = try ScratchFile("user: me:canary\n")
        let command = try ScratchFile("user: {command: x}\n"), none = try ScratchFile("jobs: 4\nuser: me\n")
        _ = unsafe (
            chmod(open.path, 0o644), chmod(shut.path, 0o600), chmod(command.path, 0o620), chmod(none.path, 0o666)
        )
        func file(_ file: ScratchFile) throws -> ConfigurationFile {
            try ConfigurationFile(at: file.path, as: .named, by: Samples.table, home: nil)
        }
        #expect(
            try file(open).warnings.map(\.text) == ["\(open.path): others can read the secret in it; chmod 600 it"])
        #expect(try file(open).faults.isEmpty && file(shut).warnings.isEmpty && file(none).warnings.isEmpty)
        #expect(
            try file(command).faults.map(\.error.message.text) == [
                "\(command.path): others can change where its secrets come from; chmod 600 it"
            ])
        _ = unsafe chmod(command.path, 0o644)
        #expect(try file(command).faults.isEmpty)
    }

    @Test("that is too large, or no file, is refused")
    func notFiles() throws {
        let large = try ScratchFile([UInt8](repeating: 0x23, count: (1 << 20) + 1))
        func complaint(_ path: String, _ role: ConfigurationFile.Role) -> String? {
            Samples.complaint { () throws(CommandError) in
                try ConfigurationFile(at: path, as: role, by: Samples.table, home: nil)
            }
        }
        #expect(
            complaint(large.path, .named) == "\(large.path): larger than 1024 KiB; look whether it is the right file")
        #expect(
            complaint("/dev/null", .project) == "/dev/null is not a regular file; --no-config passes it over")
        #expect(complaint("/dev/null", .named) == nil)
        #expect(complaint("/", .user) == "/ is not a regular file; --no-config passes it over")
        #expect(complaint("/", .named) == "/: Is a directory; name a file")
    }

    @Test("that is not UTF-8 is refused with the place")
    func notText() {
        let bytes: [UInt8] = Array("jobs: 4\ncolor: ".utf8) + [0xFF, 0x0A]
        let sentence = Samples.complaint { () throws(CommandError) in
            if let fault = ConfigurationFile(bytes, named: "w.yaml", as: .named, by: Samples.table).faults.first {
                throw fault.error
            }
        }
        #expect(sentence == "w.yaml:2:8: invalid leading UTF-8 octet; save the file as UTF-8")
    }
}
