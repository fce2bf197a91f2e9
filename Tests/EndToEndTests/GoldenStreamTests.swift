import FoundationEssentials
import Testing
import WhirlLoopback

@Suite("A stream of a real run", .timeLimit(.minutes(1))) struct GoldenStreamTests {
    @Test("is as it was when somebody looked at it, but for times and ports", arguments: transports)
    func golden(_ transport: String) async throws {
        let server = try LoopbackServer([
            "/a": .bytes(70_000), "/b": .redirect(to: "/a"), "/c": .short(100, of: 5000), "/e": .bytes(0),
        ])
        defer { server.stop() }
        let folder = try TemporaryFolder()
        folder.write("there", "x")
        let urls = ["/a", "/b", "/c", "/d?token=canary", "/e", "/there"].map { server.url($0) }
        let digest = "sha256=" + String(repeating: "0", count: 64)
        folder.write("list", urls.joined(separator: "\n") + "\n" + server.url("/a") + " out=wrong \(digest)\n")
        let run = try await Program.run(
            Program.whirl,
            ["-t", transport, "-f", "jsonl", "-j", "1", "--progress-interval", "off", "--retries", "1", "-i", "list"],
            folder: folder.path)
        let stream = Self.ordered(Self.masked(run.outputText))
        let file = URL(filePath: Checkout.path + "/Tests/Fixtures/streams/\(transport).jsonl")
        // GOLDEN=write writes it anew; then look at what changed.
        if ProcessInfo.processInfo.environment["GOLDEN"] == "write" {
            try stream.write(to: file, atomically: true, encoding: .utf8)
        }
        #expect(try stream == String(contentsOf: file, encoding: .utf8))
    }

    /// One task after another, as what happens to two of them comes in any order; numbered anew.
    private static func ordered(_ text: String) -> String {
        var groups: [Int: [Substring]] = [:]
        for line in text.split(separator: "\n") {
            let task = line.firstMatch(of: /"task":([0-9]+)/).flatMap { Int($0.1) }
            groups[task ?? (line.contains(#""type":"end""#) ? .max : 0), default: []].append(line)
        }
        let lines = groups.sorted { $0.key < $1.key }.flatMap(\.value)
        return lines.enumerated().map { $1.replacing(/"seq":[0-9]+/, with: "\"seq\":\($0)") + "\n" }.joined()
    }

    /// Without what is another in each run: what is masked is of the right kind, so that the schema holds.
    private static func masked(_ text: String) -> String {
        text.replacing(/"time":"[0-9T:.-]+Z"/, with: #""time":"2026-11-30T00:00:00.000Z""#)
            .replacing(/"elapsed":[0-9.]+/, with: #""elapsed":0"#)
            .replacing(/"delay":[0-9.]+/, with: #""delay":0"#)
            .replacing(/"key":"[0-9a-f]+"/, with: #""key":"0000000000000000""#)
            .replacing(/127\.0\.0\.1:[0-9]+/, with: "127.0.0.1:80")
            .replacing(/"(blocked|dns|connect|ssl|send|wait|receive)":([0-9.]+|null)/) { "\"\($0.1)\":0" }
    }
}
