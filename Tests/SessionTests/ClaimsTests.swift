import Testing

@testable import WhirlSession

@Suite("Claims on paths") struct ClaimsTests {
    @Test("a path is its bytes: what Unicode holds for the same text, and what combines with a slash, are other paths")
    func bytes() {
        let paths = ["/none/\u{E9}/a", "/none/e\u{301}/a", "/none/b/\u{301}c", "/none/b/c"]
        #expect(claim(paths) == [true, true, true, true])
        #expect(claim(paths + paths) == [true, true, true, true, false, false, false, false])
    }

    @Test(
        "two tasks never write to one path, beside one another's file, or below it",
        arguments: [
            ("/none/a", "/none/./a"), ("/none/a", "/none/b/../a"), ("/none/a", "/none/a/b"), ("/none/a/b", "/none/a"),
            ("/none/a", "/none/a.part"), ("/none/a.part", "/none/a"), ("/none/a", "/none/a.part.state"),
            ("/none/a", "/none/a.part/b"), ("/none/a.part/b", "/none/a"), ("/a", "//a"),
        ])
    func clash(_ one: String, _ other: String) {
        #expect(claim([one, other, "/none/another"]) == [true, false, true])
    }

    /// Which of the paths may be claimed, one after the other.
    private func claim(_ paths: [String]) -> [Bool] {
        var claims = Claims()
        return paths.map { claims.claim(Destination(regular: $0)) }
    }
}
