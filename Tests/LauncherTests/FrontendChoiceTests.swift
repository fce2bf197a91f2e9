import Testing
import WhirlCore

@testable import WhirlLauncher

@Suite("The automatic frontend")
struct FrontendChoiceTests {
    typealias Surroundings = FrontendChoice.Surroundings

    private static let usual = Surroundings(isTerminal: true, term: "xterm-256color", isUsable: true)

    private static func usual(_ change: (inout Surroundings) -> Void) -> Surroundings {
        var surroundings = usual
        change(&surroundings)
        return surroundings
    }

    @Test(
        "is the dashboard on a usable terminal",
        arguments: [
            usual, usual { $0.ci = "" }, usual { $0.ci = "false" }, usual { $0.ci = "0" },
            usual { $0.accessible = "" }, usual { $0.accessible = "0" }, usual { $0.term = "vt100" },
        ])
    func dashboard(_ surroundings: Surroundings) {
        #expect(FrontendChoice.suitsDashboard(surroundings))
    }

    @Test(
        "is the log elsewhere",
        arguments: [
            usual { $0.isTerminal = false }, usual { $0.isUsable = false }, usual { $0.term = nil },
            usual { $0.term = "" }, usual { $0.term = "dumb" }, usual { $0.ci = "true" }, usual { $0.ci = "1" },
            usual { $0.ci = "woodpecker" }, usual { $0.accessible = "1" },
        ])
    func log(_ surroundings: Surroundings) {
        #expect(!FrontendChoice.suitsDashboard(surroundings))
    }

    private func plan(_ words: String..., urls: Int = 1) throws(CommandError) -> FrontendPlan {
        let settings = try Samples.settings(words + ["http://h/a"])
        return try FrontendPlan(settings, registry: Samples.registry, environment: [:], readsStandardInput: false)
    }

    @Test("is made from what was asked for")
    func parts() throws {
        #expect(try plan("-f", "log").parts.map(\.plugin.name) == ["log"])
        #expect(try plan("-f", "none").parts.isEmpty)
        #expect(try plan("-f", "log", "--events", "e").parts.map(\.plugin.name) == ["log", "jsonl"])
        #expect(try plan("-f", "none", "--events", "e").parts.map(\.plugin.name) == ["jsonl"])
        #expect(try plan("-f", "jsonl", "-q").parts.map(\.plugin.name) == ["log"])
        #expect(try plan("-f", "log", "-q").parts.first?.context.settings["quiet"] == "true")
        #expect(try plan("-f", "ncurses").withSubstitute == nil)
    }

    @Test(
        "never shares the standard output",
        arguments: [
            (["-f", "jsonl", "-o", "-"], "-o - and -f jsonl can't both have stdout; use --events FILE for events"),
            (
                ["--events=fd:1", "-o", "-"],
                "-o - and --events fd:1 can't both have stdout; use --events FILE for events"
            ),
            (
                ["--events=fd:1", "-f", "jsonl"],
                "-f jsonl and --events fd:1 can't both have stdout; use --events FILE for events"
            ),
            (["--events", "-"], "--events: '-' is no file; write fd:1 for stdout"),
        ])
    func clashes(_ words: [String], _ sentence: String) {
        let complaint = Samples.complaint { () throws(CommandError) in
            let settings = try Samples.settings(words + ["http://h/a"])
            return try FrontendPlan(settings, registry: Samples.registry, environment: [:], readsStandardInput: false)
        }
        #expect(complaint == sentence)
    }

    @Test("that was asked for by name and can't work is an error, not another frontend")
    func unable() throws {
        let plan = try plan("-f", "ncurses")
        #expect(Samples.complaint { () throws(CommandError) in try plan.make() } == "-f: not here")
    }
}
