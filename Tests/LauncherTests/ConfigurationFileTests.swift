import Testing

@testable import WhirlLauncher

@Suite("A configuration file")
struct ConfigurationFileTests {
    private func layer(_ text: String) throws(CommandError) -> SettingLayer {
        try ConfigurationFile.layer(of: Array(text.utf8), named: "w.yaml", by: Samples.table)
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
                "w.yaml:2:5: header takes a value, not a mapping; put the line in quotes: 'Name: value'"
            ),
            ("header: [[a]]\n", "w.yaml:1:10: header takes a list of values, not of lists"),
            ("help: true\n", "w.yaml:1:1: help can't be set in a file; use --help"),
            ("jobs: &a 4\n", "w.yaml:1:7: an anchor (&) is not for a configuration; write the value itself"),
            ("jobs: *a\n", "w.yaml:1:7: an alias (*) is not for a configuration; write the value itself"),
            ("jobs: !!int 4\n", "w.yaml:1:7: a tag (!) is not for a configuration; write the value itself"),
            ("jobs: 4\n---\njobs: 5\n", "w.yaml:2:1: a second document; one is read"),
            ("- jobs\n", "w.yaml:1:1: a configuration is a mapping, such as 'jobs: 4'"),
            ("jobs\n", "w.yaml:1:1: a configuration is a mapping, such as 'jobs: 4'"),
            ("? [a]\n: 4\n", "w.yaml:1:3: a key must be the name of an option"),
            ("jobs: 4\n\tquiet: yes\n", "w.yaml:2:1: found a tab character that violates indentation"),
            ("jobs: \"4\n", "w.yaml:2:1: found unexpected end of stream"),
        ])
    func mistakes(_ text: String, _ sentence: String) {
        #expect(Samples.complaint { () throws(CommandError) in try layer(text) } == sentence)
    }

    @Test("that is not UTF-8 is refused with the place")
    func notText() {
        let bytes: [UInt8] = Array("jobs: 4\ncolor: ".utf8) + [0xFF, 0x0A]
        let sentence = Samples.complaint { () throws(CommandError) in
            try ConfigurationFile.layer(of: bytes, named: "w.yaml", by: Samples.table)
        }
        #expect(sentence == "w.yaml:2:8: invalid leading UTF-8 octet")
    }
}
