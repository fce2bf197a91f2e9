import FoundationEssentials
import Glibc
import Testing

/// Tables that stand in files between two marks; `Tools/update-tables` puts them there.
@Suite("Tables in files") struct TableTests {
    private static let isUpdating = unsafe getenv("WHIRL_UPDATE_TABLES") != nil

    @Test("README's table of capabilities is that of the promises", .enabled(if: subjects.count == 2))
    func capabilities() throws { try compare("README.md", "capabilities", Tables.capabilities) }

    @Test("the table of faults is that of the promises", .enabled(if: subjects.count == 2))
    func faults() throws {
        print(Tables.faults)
        try compare("Tests/Conformance/FAULTS.md", "faults", Tables.faults)
    }

    private func compare(_ name: String, _ mark: String, _ table: String, file: String = #filePath) throws {
        let root = file.split(separator: "/").dropLast(3).joined(separator: "/")
        let path = "/\(root)/\(name)"
        let text = try String(contentsOfFile: path, encoding: .utf8)
        let begin = try #require(text.firstRange(of: "<!-- \(mark): written by Tools/update-tables -->\n"))
        let end = try #require(text.firstRange(of: "<!-- end of \(mark) -->"))
        let between = begin.upperBound..<end.lowerBound
        if Self.isUpdating {
            let updated = text[..<between.lowerBound] + "\n\(table)\n" + text[between.upperBound...]
            try String(updated).write(toFile: path, atomically: true, encoding: .utf8)
        } else {
            #expect(text[between] == "\n\(table)\n", "run Tools/update-tables")
        }
    }
}
