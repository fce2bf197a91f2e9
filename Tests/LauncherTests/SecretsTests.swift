import Testing

@testable import WhirlLauncher

@Suite("A password in the wrong place")
struct SecretsTests {
    /// Ways to write a URL, right and wrong, with a password that has all that makes trouble.
    static let urls = ["", "?", "/", "=", " ", "#", "@", ":", "\\"].flatMap { middle in
        ["http://", "http:/", "http:///", "//", "https//", ""].map { "\($0)u:zqx\(middle)kvw@h/x" }
    }

    static let places: [@Sendable (String) -> [String]] = [
        { [$0] }, { ["--" + $0] }, { ["--http-" + $0] }, { ["--jobs", $0] }, { ["--jobs=" + $0] },
        { ["--quiet=" + $0] },
        { ["-j" + $0] }, { ["--resume", $0] }, { ["-t", $0] }, { ["-f", $0] }, { ["-d", $0 + "\0"] }, { ["-o", $0] },
        { ["--config", $0] }, { ["-i", $0] }, { ["-events=" + $0] }, { ["--checksum", $0] }, { ["--max-size", $0] },
        { ["--limit-rate", $0] }, { ["--start-rate", $0] }, { ["--idle-timeout", $0] }, { ["-H", $0] },
        { ["demo", $0] },
        { ["plugins", $0] }, { ["--deadline", $0] },
    ]

    private func complaint(_ words: [String], _ environment: [String: String] = [:]) -> String? {
        Samples.complaint { () throws(CommandError) in
            let arguments = try ArgumentParser.parse(words, by: Samples.table)
            let settings = try Launcher.settings(arguments, environment: environment, table: Samples.table)
            let inputs = try Inputs(operands: arguments.operands, settings: settings)
            var plan = try RunPlan(settings, registry: Samples.registry, environment: [:], inputs: inputs)
            try plan.check()
            _ = try plan.frontends.make()
        }
    }

    private func isSafe(_ sentence: String?) -> Bool {
        guard let sentence else { return true }
        return !sentence.contains("zqx") && !sentence.contains("kvw")
    }

    @Test("is not shown, whatever it was written for", arguments: places.indices, urls)
    func flags(_ place: Int, _ url: String) {
        let sentence = complaint(Self.places[place](url) + ["-f", "none"].filter { _ in place != 9 })
        #expect(isSafe(sentence), "\(sentence ?? "")")
    }

    @Test(
        "is not shown as the value of a variable",
        arguments: ["WHIRL_JOBS", "WHIRL_RESUME", "WHIRL_CONFIG", "WHIRL_I"], urls)
    func variables(_ name: String, _ url: String) {
        let sentence = complaint(["http://h/"], [name: url])
        #expect(isSafe(sentence), "\(sentence ?? "")")
    }

    @Test(
        "is not shown from a configuration file",
        arguments: ["jobs: ", "resume: ", "directory: ", "quiet: ", "", "header: "], urls)
    func files(_ key: String, _ url: String) throws {
        let value = key.isEmpty ? "\"\(url)\": 1" : "\(key)\"\(url)\""
        let file = ConfigurationFile(Array(value.utf8), named: "w.yaml", as: .project, by: Samples.table)
        #expect(file.faults.allSatisfy { isSafe($0.error.message.text) }, "\(file.faults)")
    }

    @Test("is not shown when its end is cut off")
    func long() {
        let sentence = complaint(["--jobs", "http://u:zqxkvw\(String(repeating: "x", count: 200))@h/"])
        #expect(sentence == "--jobs: 'http://h/' is not a whole number from 1 to 1000")
    }
}
