import FoundationEssentials
import Glibc
import Testing
import WhirlLoopback

@testable import WhirlLauncher

/// Files of `Tools/manual` that follow from the table; `Tools/update-tables` writes them.
@Suite("The manual", .enabled(if: Registry.wired.absences.isEmpty))
struct ManualTests {
    private static let isUpdating = unsafe getenv("WHIRL_UPDATE_TABLES") != nil

    struct Page: Sendable, CustomTestStringConvertible {
        let name: String
        let text: String
        var testDescription: String { name }
    }

    static let pages: [Page] =
        [
            Page(name: "whirl.1", text: ManualPage(registry: .wired).text),
            Page(name: "configuration.md", text: ConfigurationReference(registry: .wired).text),
            Page(name: "configuration.schema.json", text: ConfigurationSchema(registry: .wired).text),
        ]
        + Completions.Shell.allCases.map { shell in
            Page(name: shell.fileName, text: Completions(registry: .wired).text(for: shell))
        }

    @Test("is that of the table of options", arguments: pages)
    func upToDate(_ page: Page) throws {
        let path = Self.folder() + "/" + page.name
        if Self.isUpdating {
            try page.text.write(toFile: path, atomically: true, encoding: .utf8)
        } else {
            let text = try? String(contentsOfFile: path, encoding: .utf8)
            #expect(text == page.text, "run Tools/update-tables")
        }
    }

    private static func folder(_ file: String = #filePath) -> String {
        "/" + file.split(separator: "/").dropLast(3).joined(separator: "/") + "/Tools/manual"
    }

    @Test("says all of every option")
    func whole() {
        let manual = ManualPage(registry: .wired).text.filter { $0 != "\\" }
        let reference = ConfigurationReference(registry: .wired).text
        for option in Registry.wired.table.options {
            #expect(manual.contains("Fl -\(option.name.rawValue)"), "\(option.name)")
            #expect(reference.contains(option.name.rawValue), "\(option.name)")
            if option.sources.contains(.environment) { #expect(manual.contains(".It Ev \(option.name.variable)\n")) }
        }
        for verb in Verb.allCases { #expect(manual.contains(".It Cm \(verb.rawValue)\n")) }
    }
}
