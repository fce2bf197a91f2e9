import Testing
import WhirlCore

@testable import WhirlLauncher

@Suite("The registry")
struct RegistryTests {
    @Test("finds a backend by its name")
    func found() throws {
        #expect(try Samples.registry.transport("portable").name == "portable")
        #expect(try Samples.registry.frontend("log").name == "log")
    }

    @Test(
        "answers a wrong name with the right ones, and with those that are switched off",
        arguments: [
            (
                ["-t", "fsat", "http://h/"],
                "-t: 'fsat' is not a transport; there is fast, portable, switched off in this build: exotic; "
                    + "did you mean fast?"
            ),
            (
                ["--transport=exotic", "http://h/"],
                "--transport: the transport exotic is switched off in this build (trait Exotic); "
                    + "there is fast, portable"
            ),
            (
                ["-f", "tui", "http://h/"],
                "-f: 'tui' is not a frontend; there is auto, none, ncurses, log, jsonl, "
                    + "switched off in this build: window"
            ),
            (
                ["-f", "window", "http://h/"],
                "-f: the frontend window is switched off in this build (trait Window); "
                    + "there is auto, none, ncurses, log, jsonl"
            ),
        ])
    func unknown(_ words: [String], _ sentence: String) {
        let complaint = Samples.complaint { () throws(CommandError) in
            let settings = try Samples.settings(words)
            return try RunPlan(
                settings, registry: Samples.registry, environment: [:], inputs: Inputs([]))
        }
        #expect(complaint == sentence)
    }

    @Test("refuses two backends of one name")
    func duplicates() async {
        await #expect(processExitsWith: .failure) {
            _ = Registry(transports: [Samples.transport("one"), Samples.transport("one")], frontends: [])
        }
    }

    @Test("is printed for people and as one line of JSON")
    func lists() {
        let list = PluginList(registry: Samples.registry, obstacles: ["ncurses": "there is no terminal"])
        #expect(list.text.contains(", built with Swift 6."))
        #expect(list.text.contains("              can: pause, timings\n"))
        #expect(list.text.contains("              can't: backpressure, phases, raw-body, http2, independent, robust\n"))
        #expect(list.text.contains("              not here: there is no terminal\n"))
        #expect(
            list.json.contains(#""obstacle":"there is no terminal""#) && list.json.contains(#""toolchain":"Swift 6."#))
        #expect(list.text.contains("  fast        moves bytes (default)\n"))
        #expect(list.text.contains("  exotic      switched off in this build; build with the package trait Exotic\n"))
        #expect(list.json.filter { $0 == "\n" }.count == 1)
        #expect(list.json.contains(#""off":[{"role":"transport","name":"exotic","trait":"Exotic"}"#))
        #expect(list.json.contains(#""summary":"shows \"all\"""#))
    }
}
