import Glibc
import Testing
import WhirlLoopback

@testable import WhirlLauncher

@Suite("The file of a project")
struct ProjectRulesTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        folder.writeDeep("in/file", "")
        for (link, target) in [("out", "/etc"), ("home", "in"), ("later", "/nonexistent/x"), ("self", "self")] {
            _ = unsafe symlink(target, "\(folder.path)/\(link)")
        }
    }

    private func complaint(_ text: String) -> String? {
        let path = "\(folder.path)/whirl.yaml"
        let file = ConfigurationFile(Array(text.utf8), named: path, as: .project, by: Samples.table, home: "/home/me")
        return file.faults.first.map { String($0.error.message.text.dropFirst(path.count + 1)) }
    }

    @Test(
        "may say what concerns its own folder",
        arguments: [
            "jobs: 4", "directory: in", "directory: ./in/new/deeper", "output: 'in/{host}/{name}'", "output: '-'",
            "events: in/events.jsonl", "input: [list, in/file]", "directory: home", "directory: home/new",
            "directory: .",
            "user-agent: x",
        ])
    func allowed(_ text: String) {
        #expect(complaint(text) == nil)
    }

    @Test(
        "may not lead out of it",
        arguments: [
            "/etc", "..", "in/../../x", "~/x", "~", "out", "out/x", "later", "later/x", "self", "self/x", "//x",
        ])
    func outside(_ path: String) {
        #expect(
            complaint("directory: '\(path)'")
                == "1:12: directory: '\(path)' leads out of the project's folder; "
                + "a project's file may only name what is in it")
        #expect(complaint("input: [list, '\(path)/{name}']")?.contains("leads out") == true)
    }

    @Test("may name no descriptor")
    func descriptors() {
        #expect(
            complaint("events: fd:3")
                == "1:9: events: a descriptor is for whoever starts whirl; give --events there")
    }

    @Test(
        "may set neither secrets nor the way to servers, and is told why",
        arguments: Samples.table.options.filter { $0.reservation != nil })
    func reserved(_ option: CommandOption) throws {
        let key = option.name.rawValue
        let reason = try #require(option.reservation).rawValue
        #expect(
            complaint("\(key): {file: x}")
                == "1:1: \(key) is not for the file of a project, as \(reason); "
                + "set it in the user's file or with \(option.name.flag)")
    }

    @Test("has every option with a secret or a place outside among those it may not set")
    func complete() {
        let names = Set(Samples.table.options.filter { $0.reservation != nil }.map(\.name))
        let least: Set<OptionName> = [
            .header, .user, .netrc, .netrcFile, .proxy, .cacert, .insecure, .resolve,
        ]
        #expect(names.isSuperset(of: least))
        #expect(Samples.table.options.filter { $0.kind.takesSource && $0.reservation == nil }.isEmpty)
    }
}
