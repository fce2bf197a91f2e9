import Testing

@testable import WhirlLauncher

@Suite("A suggestion")
struct SuggestionTests {
    @Test(
        "counts letters put in, taken out, replaced and swapped",
        arguments: [
            ("", "", 0), ("jobs", "jobs", 0), ("jobs", "", 4), ("", "jobs", 4), ("jbos", "jobs", 1), ("job", "jobs", 1),
            ("jobbs", "jobs", 1), ("jots", "jobs", 1), ("kitten", "sitting", 3), ("ca", "ac", 1),
        ])
    func distance(_ from: String, _ to: String, _ steps: Int) {
        #expect(Suggestion.distance(Array(from.utf8), Array(to.utf8)) == steps)
        #expect(Suggestion.distance(Array(to.utf8), Array(from.utf8)) == steps)
    }

    @Test("is made only for what is near, or part of a name")
    func nearness() {
        let names = ["jobs", "jobs-per-host", "idle-timeout", "header"]
        #expect(Suggestion.nearest(to: "jobz", among: names) == ["jobs"])
        #expect(Suggestion.nearest(to: "JOBS", among: names) == ["jobs"])
        #expect(Suggestion.nearest(to: "per-host", among: names) == ["jobs-per-host"])
        #expect(Suggestion.nearest(to: "parallel", among: names).isEmpty)
        #expect(Suggestion.nearest(to: "x", among: names).isEmpty)
        #expect(Suggestion.nearest(to: "anything", among: []).isEmpty)
    }
}
